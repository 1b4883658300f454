// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <archive.h>
#include <archive_entry.h>

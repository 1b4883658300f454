// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nettle/sha2.h>

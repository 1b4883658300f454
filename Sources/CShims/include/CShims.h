// SPDX-License-Identifier: Apache-2.0
// What Swift's Glibc module lacks, as few plain functions. Each returns -1 and sets errno on error.
#pragma once

#include <stdint.h>
#include <sys/types.h>

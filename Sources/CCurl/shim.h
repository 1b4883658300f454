// SPDX-License-Identifier: Apache-2.0
// libcurl sets and asks everything through variadic functions, which Swift can't call.
#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

static inline CURLcode la_curl_string(CURL *h, CURLoption o, const char *v) {
  return curl_easy_setopt(h, o, v);
}

static inline CURLcode la_curl_long(CURL *h, CURLoption o, long v) {
  return curl_easy_setopt(h, o, v);
}

static inline CURLcode la_curl_off(CURL *h, CURLoption o, curl_off_t v) {
  return curl_easy_setopt(h, o, v);
}

static inline CURLcode la_curl_pointer(CURL *h, CURLoption o, void *v) {
  return curl_easy_setopt(h, o, v);
}

static inline CURLcode la_curl_list(CURL *h, CURLoption o, struct curl_slist *v) {
  return curl_easy_setopt(h, o, v);
}

/// For CURLOPT_READFUNCTION, CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
typedef size_t (*la_curl_transfer)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode la_curl_on_transfer(CURL *h, CURLoption o, la_curl_transfer f) {
  return curl_easy_setopt(h, o, f);
}

typedef int (*la_curl_seek)(void *context, curl_off_t offset, int origin);
static inline CURLcode la_curl_on_seek(CURL *h, la_curl_seek f) {
  return curl_easy_setopt(h, CURLOPT_SEEKFUNCTION, f);
}

typedef int (*la_curl_progress)(void *context, curl_off_t down_total, curl_off_t down,
                                curl_off_t up_total, curl_off_t up);
static inline CURLcode la_curl_on_progress(CURL *h, la_curl_progress f) {
  return curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, f);
}

static inline long la_curl_get_long(CURL *h, CURLINFO i) {
  long v = 0;
  return curl_easy_getinfo(h, i, &v) == CURLE_OK ? v : 0;
}

static inline curl_off_t la_curl_get_off(CURL *h, CURLINFO i) {
  curl_off_t v = 0;
  return curl_easy_getinfo(h, i, &v) == CURLE_OK ? v : 0;
}

static inline CURLcode la_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

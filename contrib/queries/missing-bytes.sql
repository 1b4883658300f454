-- Bytes that were written and lost before they could be read
SELECT source, log_file_path, from_offset, to_offset, bytes, reason,
  strftime('%Y-%m-%dT%H:%M:%SZ', observed_time_unix_nano / 1000000000, 'unixepoch') AS seen
FROM gaps
ORDER BY observed_time_unix_nano;

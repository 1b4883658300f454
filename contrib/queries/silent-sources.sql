-- Sources by the time of their newest record, those longest silent first
SELECT source, active AS open_files,
  strftime('%Y-%m-%dT%H:%M:%SZ', last_time_unix_nano / 1000000000, 'unixepoch') AS last_record,
  bytes_behind, problems
FROM sources
ORDER BY last_time_unix_nano;

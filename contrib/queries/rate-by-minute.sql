-- Records and errors of each of the last 60 minutes that have any
SELECT strftime('%Y-%m-%dT%H:%M', time_unix_nano / 1000000000, 'unixepoch') AS minute,
  count(*) AS records, sum(severity_number >= 17) AS errors
FROM logs
GROUP BY minute
ORDER BY minute DESC
LIMIT 60;

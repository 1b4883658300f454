-- How many errors each source has logged, and the newest of them
SELECT source, count(*) AS errors, max(time) AS last, substr(body, 1, 60) AS last_error
FROM logs
WHERE severity_number >= 17
GROUP BY source
ORDER BY errors DESC;

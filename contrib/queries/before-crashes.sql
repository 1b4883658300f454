-- Warnings and errors of all sources in the ten seconds before each crash
SELECT c.id AS crash, c.process AS crashed, l.time, l.source, l.severity, l.body
FROM crashes c
JOIN logs l ON l.time_unix_nano BETWEEN c.time_unix_nano - 10000000000 AND c.time_unix_nano
WHERE l.severity_number >= 13 AND l.crash_id IS NULL
ORDER BY c.id, l.time_unix_nano;

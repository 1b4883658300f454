-- How far the times of each source can be trusted
SELECT source, time_quality, count(*) AS records, min(time) AS first, max(time) AS last
FROM logs
GROUP BY source, time_quality
ORDER BY source, records DESC;

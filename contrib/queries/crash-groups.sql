-- Crashes by fingerprint: how often, since when, and where
SELECT fingerprint, max(process) AS process, count(*) AS crashes, min(first_seen) AS first_seen,
  max(last_seen) AS last_seen, max(COALESCE(reason, signal, kind)) AS reason,
  max(top_frame) AS top_frame
FROM crashes
GROUP BY fingerprint
ORDER BY crashes DESC;

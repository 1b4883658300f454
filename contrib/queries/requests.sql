-- Requests of web servers by status and path, the most frequent first
SELECT source, attributes ->> '$."http.request.method"' AS method,
  attributes ->> '$."url.path"' AS path,
  attributes ->> '$."http.response.status_code"' AS status, count(*) AS requests
FROM logs
WHERE json_extract(attributes, '$."http.response.status_code"') IS NOT NULL
GROUP BY 1, 2, 3, 4
ORDER BY requests DESC
LIMIT 50;

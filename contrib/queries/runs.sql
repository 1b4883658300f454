-- How the runs of each program ended
SELECT COALESCE(process, program) AS process, outcome, count(*) AS runs, max("end") AS last
FROM runs
GROUP BY 1, 2
ORDER BY 1, runs DESC;

-- Builds of a version that are not numbers, such as commits, have one order: their dates decide.
UPDATE releases SET version_order = substr(version_order, 1, instr(version_order, ' ')) || '1'
WHERE version_order LIKE '% 1%' OR version_order LIKE '% %!1%';

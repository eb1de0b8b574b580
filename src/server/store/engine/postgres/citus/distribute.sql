-- Distributes the tables of an installation over the workers of a Citus cluster: docs/scale.md.
--
-- Run it on the coordinator, after "culvert migrate" and before the first server starts on the database; after a
-- change of the schema once more: it distributes the tables that are not yet. It needs Citus 13.2, the extension on
-- every node, and the nodes in pg_dist_node.

SET client_min_messages = warning;

BEGIN;

DO $$
BEGIN
  IF to_regclass('pg_dist_partition') IS NULL THEN
    RAISE EXCEPTION 'the database has no Citus: run CREATE EXTENSION citus in it on each node, and add the nodes, first';
  END IF;
  IF to_regclass('events') IS NULL THEN
    RAISE EXCEPTION 'the database has no schema of Culvert: run "culvert migrate" first';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'events'::regclass AND partmethod = 'h')
    AND (EXISTS (SELECT 1 FROM body_blocks) OR EXISTS (SELECT 1 FROM attachments) OR EXISTS (SELECT 1 FROM outbox))
  THEN
    RAISE EXCEPTION 'the database has events or files: only an installation without them can be distributed';
  END IF;
END $$;

-- Triggers of distributed tables run on the workers. They write rows of the same project, and so of the same
-- node, but Citus cannot know that. Reference tables and distributed ones are written in one transaction, which
-- must not use several connections to a node. Culvert reads the last setting: a plan for all projects would ask
-- all nodes.
DO $$
DECLARE
  setting record;
BEGIN
  FOR setting IN SELECT * FROM (VALUES
    ('citus.enable_unsafe_triggers', 'on'),
    ('citus.multi_shard_modify_mode', 'sequential'),
    ('plan_cache_mode', 'force_custom_plan'),
    ('culvert.plan_cache_mode', 'force_custom_plan')) AS settings (name, value)
  LOOP
    EXECUTE format('ALTER DATABASE %I SET %s = %L', current_database(), setting.name, setting.value);
    PERFORM set_config(setting.name, setting.value, false);
  END LOOP;
  FOR setting IN
    SELECT DISTINCT p.proname AS name FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND p.pronamespace = current_schema()::regnamespace
  LOOP
    EXECUTE format('ALTER FUNCTION %I() SET citus.allow_nested_distributed_execution = on', setting.name);
  END LOOP;
END $$;

-- Small tables that every project's statements join, or that are unique over all projects: a copy on each node.
-- Those with a project_id are distributed by it, all rows of a project on one node. The others stay on the
-- coordinator; Citus lists those with a foreign key to a reference table, too, as "n" and "s".
DO $$
DECLARE
  name text;
  reference_tables constant text[] := ARRAY[
    'organizations', 'users', 'memberships', 'projects', 'project_keys', 'project_members', 'upstreams',
    'alert_rules', 'alert_destinations', 'alert_mutes'];
  first_table text;
BEGIN
  FOREACH name IN ARRAY reference_tables LOOP
    IF NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = name::regclass AND repmodel = 't') THEN
      PERFORM create_reference_table(name::regclass);
    END IF;
  END LOOP;
  SELECT logicalrelid::regclass::text INTO first_table FROM pg_dist_partition WHERE partmethod = 'h' ORDER BY 1 LIMIT 1;
  FOR name IN
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND a.attname = 'project_id'
      AND c.relname <> ALL (reference_tables) AND c.relname !~ '_[0-9]+$'
      AND NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = c.oid AND partmethod = 'h')
    ORDER BY 1
  LOOP
    PERFORM create_distributed_table(name::regclass, 'project_id', colocate_with => coalesce(first_table, 'none'));
    first_table := coalesce(first_table, name);
  END LOOP;
END $$;

COMMIT;

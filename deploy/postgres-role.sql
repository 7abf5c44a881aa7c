-- Makes the role that Haris signs in with, and gives it the tables of this database. It is no superuser, so that
-- PostgreSQL's row-level security keeps facilities apart. Run by a superuser; running it again changes nothing.
--   DATABASE_PASSWORD=… psql --set=role=nursery --file=deploy/postgres-role.sql postgres://SUPERUSER@HOST/DATABASE
\set ON_ERROR_STOP on
\set QUIET on
\getenv password DATABASE_PASSWORD
begin;
-- Others that run this at the same time wait.
select pg_advisory_xact_lock(48) \g /dev/null
select format('create role %I', :'role')
  where not exists (select from pg_roles where rolname = :'role') \gexec
select format(
  'alter role %I with login nosuperuser nobypassrls nocreatedb nocreaterole noreplication password %L',
  :'role', :'password') \gexec
select format('alter database %I owner to %I', current_database(), :'role') \gexec
-- An index belongs to its table, and so does a sequence of a column.
select format('alter table %s owner to %I', oid::regclass, :'role')
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') \gexec
select format('alter routine %s owner to %I', oid::regprocedure, :'role')
  from pg_proc
  where pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') \gexec
commit;

import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { openStore } from '#server/store/store.ts'

let template: Promise<string> | undefined

/**
 * Creates a database with the schema and nothing else on a server, whose URL names any database of it. Copies
 * a template: applying the migrations takes longer than most tests do.
 */
export async function createPostgresDatabase(
  server: string,
): Promise<{ url: string; drop: () => Promise<void> }> {
  template ??= createTemplate(server)
  const name = `test_${randomBytes(8).toString('hex')}`
  await run(server, `CREATE DATABASE ${name} TEMPLATE ${await template} STRATEGY file_copy`)
  return {
    url: toUrl(server, name),
    drop: () => run(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  }
}

async function createTemplate(server: string): Promise<string> {
  const name = `template_${randomBytes(8).toString('hex')}`
  await run(server, `CREATE DATABASE ${name} TEMPLATE template0`)
  const store = await openStore({ path: toUrl(server, name), clock: Date.now })
  await store.close()
  return name
}

function toUrl(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

async function run(server: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

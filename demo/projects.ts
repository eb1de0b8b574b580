import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import type { ServiceName } from './deployments.ts'

const projectList = v.array(v.object({ slug: v.string(), dsn: v.optional(v.string()) }))

const names: Record<ServiceName, string> = { api: 'Shop API', web: 'Shop web', worker: 'Shop worker' }

/** The DSN of each service of the shop, by its name; missing projects are created first. */
export async function ensureShopProjects(): Promise<Record<ServiceName, string>> {
  const known = await listProjects()
  for (const name of Object.values(names)) {
    if (!known.has(toSlug(name))) await runCulvert(['project', 'add', name])
  }
  const dsns = await listProjects()
  return { api: requireDsn(dsns, 'api'), web: requireDsn(dsns, 'web'), worker: requireDsn(dsns, 'worker') }
}

function requireDsn(dsns: Map<string, string>, service: ServiceName): string {
  const dsn = dsns.get(toSlug(names[service]))
  if (dsn === undefined || dsn === '') throw new Error(`The project ${names[service]} has no active key.`)
  return dsn
}

async function listProjects(): Promise<Map<string, string>> {
  const projects = v.parse(projectList, JSON.parse(await runCulvert(['project', 'list', '--json'])))
  return new Map(projects.map(({ slug, dsn = '' }) => [slug, dsn]))
}

function toSlug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

/** Runs Culvert's command line with the environment of this process and returns its output. */
export async function runCulvert(args: readonly string[]): Promise<string> {
  const culvert = join(import.meta.dirname, '../bin/culvert.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [culvert, ...args])
  return stdout
}

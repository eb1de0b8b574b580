import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { toProjectDsn } from '#server/project-dsn.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { findFreePort } from '#test/listen-locally.ts'
import type { Culvert, Project } from '../../e2e/support/culvert.ts'
import { type AppSource, buildApp } from './built-app.ts'
import { install, plainEnv } from './fixture-install.ts'
import { openRecipeWorld, type RecipeWorld } from './recipe-world.ts'
import { type RunningProgram, startProgram } from './run-program.ts'
import { skip } from './skip.ts'
import { expectOneTrace, type TracedVisit } from './traced-visit.ts'
import { expectFoundDigests, listEvents, type Visit, visitOf } from './visits.ts'

/** An application built from a recipe, and the actions of its users. */
export interface DescribedApp {
  title: string
  source: AppSource
  /** The program that serves it on a port, started in its folder: of node_modules/.bin, or `node`. */
  start: (port: number) => string[]
  visits: readonly Visit[]
  /** Visits whose spans are one trace of the browser and the server: the application samples all. */
  traced?: readonly TracedVisit[]
  /** True: only in a full run. */
  isFull?: boolean
}

interface OpenedApp {
  project: Project
  running: RunningProgram
}

/** A Culvert and a browser for all tests of a file, started for the first one that needs them. */
export function serveRecipeWorld(): () => Promise<RecipeWorld> {
  let world: Promise<RecipeWorld> | undefined
  afterAll(async () => (await world)?.close())
  return () => (world ??= openRecipeWorld())
}

/**
 * Builds an application, runs each visit as a separate test, several at a time, and looks for events without
 * a visit.
 */
export function describeApp(app: DescribedApp, world: () => Promise<RecipeWorld>): void {
  const tags = app.isFull === true ? ['full'] : []
  describe.for([app])('$title', { tags }, ({ title, source, start, visits, traced = [] }) => {
    let opened: OpenedApp | { reason: string } | undefined
    beforeAll(async () => {
      const installation = await install(source.install)
      opened = installation.ok
        ? await openApp({ source, start, installFolder: installation.folder, title }, await world())
        : { reason: installation.reason }
    }, 900_000)
    afterAll(async () => {
      if (opened !== undefined && 'running' in opened) await opened.running.stop()
    })

    const required = (context: TestContext): OpenedApp => {
      if (opened === undefined) throw new Error('The application does not run.')
      return 'reason' in opened ? skip(context, `${title}: ${opened.reason}`) : opened
    }
    it.concurrent.for(visits)('$name', async (visit, context) => {
      const { project, running } = required(context)
      await expectFoundDigests(visit, { ...(await world()), origin: running.origin, project })
    })
    it.concurrent.for(traced)('$name, from the browser to the server', async (visit, context) => {
      const { running } = required(context)
      await expectOneTrace(visit, { ...(await world()), origin: running.origin }, context)
    })
    it('stores no event twice, and none without a visit', async (context) => {
      const { project } = required(context)
      const { culvert } = await world()
      const stored = await listEvents(culvert, project)
      const expected = [...visits, ...traced].flatMap(({ name, events }) => events.map(() => name))
      expect(stored.map(visitOf).toSorted()).toEqual(expected.toSorted())
    })
  })
}

let nextProjectId = 42

/** Adds a project whose DSN is as long as the one of a build. */
async function addProject(culvert: Culvert, name: string): Promise<Project> {
  const id = nextProjectId
  nextProjectId += 1
  return culvert.withStore(async ({ store, origin }) => {
    const { slug, publicKey } = await createProject(store, { id, name })
    return { id, slug, dsn: toProjectDsn(origin, { projectId: id, publicKey }) }
  })
}

async function openApp(
  {
    source,
    start,
    installFolder,
    title,
  }: Pick<DescribedApp, 'source' | 'start' | 'title'> & { installFolder: string },
  { culvert }: RecipeWorld,
): Promise<OpenedApp> {
  const project = await addProject(culvert, title)
  const folder = await buildApp(source, installFolder, project.dsn)
  const port = await findFreePort()
  const [program = '', ...args] = start(port)
  const binary = program === 'node' ? process.execPath : `${installFolder}/node_modules/.bin/${program}`
  const running = await startProgram([binary, ...args], port, {
    cwd: folder,
    env: { ...plainEnv, PORT: String(port), HOST: '127.0.0.1' },
  })
  return { project, running }
}

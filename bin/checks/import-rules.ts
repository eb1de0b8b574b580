/** The packages that a layer may import. */
type Packages =
  /** Only `packageNames`. */
  | 'none'
  /** Packages that run in a browser. */
  | 'browser'
  /** The same without data loading. */
  | 'components'
  /** Packages without React and the router. */
  | 'server'
  /** The same without networking. */
  | 'store'
  /** `server` and server functions. */
  | 'start'
  | 'any'

/** A row of the table "Who may import whom" in ARCHITECTURE.md. Paths are relative to `src`. */
export interface Layer {
  name: string
  files: readonly string[]
  /** Files in it that belong to another layer. */
  except?: readonly string[]
  /** Names of layers, or paths of files in them. */
  may: readonly string[]
  /** The same, for types only. */
  types?: readonly string[]
  packages: Packages
  packageNames?: readonly string[]
  /** Uses no clock, randomness, timers or environment. */
  isPure?: true
  /** Does not even import `app.config.ts`. */
  isClosed?: true
}

/** A thrown error, reported on the server; `failureOf` does so for both sides. */
const captureFiles = ['monitoring/{failure,capture.server}.ts']
/** Folders that know nothing of the server. */
const plain = ['protocol', 'time', 'search']
const base = ['server/limits', 'server/base']
const storeAndParts = ['server/store', 'server/rate-limit', 'server/parts', 'server/source-maps']
const processing = 'server/{normalize,filter,scrub,group}'
/** What happened, decided by rules and schedules: pure. */
const verdicts = '{alerts,monitors}'
/** What decides, in the background. */
const watchers = 'server/{alerts,monitors}'
const views = 'server/{console,forms}/**/*views.ts'
/** Search parameters, parsed by a schema. */
const searches = 'server/console/**/*.search.ts'
const records = 'server/store/**/records.ts'
const plainProtocol = 'protocol/{event,json,outcome,rejection,session}.ts'
const services = 'server/services.ts'

/** All folders of `src`, lowest layer first. A layer imports itself and lower layers that it lists. */
export const layers: readonly Layer[] = [
  { name: 'protocol', files: ['protocol/**'], may: [], packages: 'none', isClosed: true },
  { name: 'time', files: ['time/**'], may: [], packages: 'none', isClosed: true },
  { name: 'search', files: ['search/**'], may: ['time'], packages: 'none', isClosed: true },
  {
    name: verdicts,
    files: [`${verdicts}/**`],
    may: ['protocol', 'time'],
    packages: 'none',
    packageNames: ['valibot'],
    isPure: true,
    isClosed: true,
  },
  { name: 'source-links', files: ['source-links/**'], may: ['protocol'], packages: 'none', isPure: true },
  { name: 'styles', files: ['styles/**'], may: [], packages: 'none' },
  {
    name: 'framework',
    files: ['framework/**'],
    except: ['framework/{console-errors,render-page,server-function-failure}.server.{ts,tsx}'],
    may: [],
    packages: 'any',
  },
  { name: 'navigation', files: ['navigation/**'], may: ['framework'], packages: 'browser' },
  {
    name: 'monitoring/noise',
    files: ['monitoring/noise-filter.ts', 'monitoring/noise/**'],
    may: ['protocol'],
    packages: 'none',
    isPure: true,
  },
  {
    name: 'monitoring/capture',
    files: captureFiles,
    may: ['framework', 'navigation'],
    packages: 'browser',
  },
  {
    name: 'monitoring',
    files: ['monitoring/**'],
    except: [
      'monitoring/noise-filter.ts',
      'monitoring/noise/**',
      ...captureFiles,
      'monitoring/**/*.server.{ts,tsx}',
    ],
    may: ['protocol', 'framework', 'navigation', 'monitoring/noise', 'monitoring/capture'],
    packages: 'browser',
  },
  {
    name: 'server/limits',
    files: ['server/limits.ts', 'server/limits/**', 'server/bounded-map.ts'],
    may: ['time'],
    packages: 'none',
  },
  {
    name: 'server/base',
    files: [
      'server/{env,errors,log,mail-settings,memory-bounds,networks,private-destinations,project-dsn,timed-run,too-large,worker-channel,writable-folder}.ts',
    ],
    may: ['protocol', 'server/limits'],
    packages: 'server',
  },
  { name: 'server/doorway.ts', files: ['server/doorway.ts'], may: [], packages: 'any' },
  {
    name: processing,
    files: [`${processing}/**`],
    may: ['protocol', 'monitoring/noise', 'server/limits'],
    packages: 'none',
    packageNames: ['node:crypto', 'node:net', 'ua-parser-js'],
    isPure: true,
  },
  { name: 'server/auth/roles.ts', files: ['server/auth/roles.ts'], may: [], packages: 'none' },
  {
    name: 'server/store',
    files: ['server/store/**'],
    may: [
      ...plain,
      verdicts,
      'source-links',
      'server/limits',
      'server/{errors,log,worker-channel}.ts',
      'server/auth/roles.ts',
    ],
    packages: 'store',
  },
  {
    name: 'server/rate-limit',
    files: ['server/rate-limit/**'],
    may: ['protocol', 'server/limits'],
    types: ['server/store/projects/settings.ts'],
    packages: 'none',
    isPure: true,
  },
  {
    name: 'server/parts',
    files: ['server/{archive-timer,client-address,first-projects,readiness,replica-reads}.ts'],
    may: [...base, 'server/store', 'server/rate-limit'],
    packages: 'server',
  },
  {
    name: 'server/source-maps',
    files: ['server/source-maps/**'],
    may: ['protocol', ...base, 'server/store'],
    packages: 'server',
  },
  {
    name: 'server/artifacts',
    files: ['server/artifacts/**'],
    may: ['protocol', ...base, 'server/store', 'server/source-maps/debug-id.ts'],
    packages: 'server',
  },
  {
    name: 'server/data-dir',
    files: ['server/data-dir/**'],
    may: [...base, 'server/store'],
    packages: 'store',
  },
  {
    name: 'server/retention',
    files: ['server/retention/**'],
    may: ['time', ...base, 'server/store'],
    packages: 'server',
  },
  {
    name: 'server/metrics',
    files: ['server/metrics/**'],
    may: ['time', ...base, 'server/store'],
    packages: 'server',
  },
  { name: 'server/live', files: ['server/live/**'], may: [...base, 'server/store'], packages: 'server' },
  {
    name: 'server/forward',
    files: ['server/forward/**'],
    may: ['protocol', 'time', ...base, 'server/store', 'server/parts', 'server/retention'],
    types: ['server/metrics'],
    packages: 'server',
  },
  {
    name: watchers,
    files: [`${watchers}/**`],
    may: [
      'protocol',
      'time',
      verdicts,
      'source-links',
      ...base,
      'server/normalize/text.ts',
      'server/store',
      'server/forward',
    ],
    types: ['server/metrics'],
    packages: 'server',
  },
  {
    name: 'server/auth',
    files: ['server/auth/**'],
    except: ['server/auth/roles.ts'],
    may: ['time', ...base, 'server/doorway.ts', 'server/auth/roles.ts', 'server/store', 'server/rate-limit'],
    packages: 'start',
  },
  {
    name: 'server/ingest',
    files: ['server/ingest/**'],
    may: ['protocol', 'time', verdicts, ...base, processing, ...storeAndParts],
    types: ['server/forward', watchers],
    packages: 'server',
  },
  {
    name: services,
    files: ['server/{services,own-services,housekeeping}.ts'],
    may: [
      'protocol',
      'time',
      ...base,
      ...storeAndParts,
      'server/artifacts',
      'server/data-dir',
      'server/retention',
      'server/metrics',
      'server/live',
      'server/forward',
      watchers,
      'server/auth',
      'server/ingest',
    ],
    packages: 'server',
  },
  {
    name: 'server/forms',
    files: ['server/forms/**'],
    may: [],
    types: [services, 'server/auth/viewer.ts', records],
    packages: 'start',
  },
  {
    name: 'server/http',
    files: ['server/http/**'],
    may: [...base, 'server/parts', 'server/ingest'],
    types: [services],
    packages: 'server',
  },
  {
    name: 'server/console',
    files: ['server/console/**'],
    may: [
      ...plain,
      verdicts,
      'source-links',
      'monitoring',
      ...base,
      'server/doorway.ts',
      processing,
      'server/auth/roles.ts',
      ...storeAndParts,
      'server/retention',
      'server/forward',
      watchers,
      'server/auth',
      'server/forms',
    ],
    types: [services],
    packages: 'start',
  },
  {
    name: 'server/api',
    files: ['server/api/**'],
    may: [
      ...plain,
      verdicts,
      'source-links',
      ...base,
      processing,
      'server/auth/roles.ts',
      'server/store',
      'server/rate-limit',
      'server/artifacts',
      'server/auth',
      'server/http',
      'server/console',
    ],
    types: [services],
    packages: 'server',
  },
  {
    name: 'server/mcp',
    files: ['server/mcp/**'],
    may: [
      'protocol',
      'search',
      'monitoring',
      ...base,
      'server/store',
      'server/auth',
      'server/console',
      'server/api',
    ],
    packages: 'server',
  },
  {
    name: 'components/ui',
    files: ['components/ui/**'],
    may: ['time', 'styles'],
    types: [plainProtocol],
    packages: 'components',
  },
  {
    name: 'components',
    files: ['components/**'],
    except: ['components/ui/**'],
    may: ['time', 'search', verdicts, 'styles', 'components/ui', 'protocol/stack-trace-text.ts'],
    types: [plainProtocol, records, searches, views],
    packages: 'components',
  },
  {
    name: 'queries',
    files: ['queries/**'],
    may: ['navigation', 'monitoring/failure-of.ts', 'server/console/**/*.functions.ts', searches],
    types: [plainProtocol, records, views],
    packages: 'browser',
  },
  {
    name: 'monitoring/*.server.ts',
    files: ['monitoring/**/*.server.{ts,tsx}'],
    except: captureFiles,
    may: [
      'protocol',
      'framework',
      'navigation',
      'monitoring/noise',
      'monitoring/capture',
      'monitoring',
      'server/forms',
      'server/http/answer/**',
      'components/failure/**',
    ],
    types: ['server/base', 'server/auth'],
    packages: 'any',
  },
  {
    name: 'framework/*.server.ts',
    files: ['framework/{console-errors,render-page,server-function-failure}.server.{ts,tsx}'],
    may: ['framework', 'navigation', 'monitoring/capture', 'monitoring', 'monitoring/*.server.ts'],
    types: ['server/base'],
    packages: 'any',
  },
  {
    name: 'routes (server)',
    files: ['routes/**/*.ts'],
    may: [
      'framework',
      'navigation',
      'monitoring',
      'monitoring/*.server.ts',
      'framework/*.server.ts',
      ...base,
      'server/auth',
      'server/forms',
      'server/ingest',
      services,
      'server/http',
      'server/console',
      'server/api',
      'server/mcp',
    ],
    packages: 'any',
  },
  {
    name: 'routes (screens)',
    files: ['routes/**/*.tsx'],
    may: [
      'search',
      'time',
      'styles',
      'framework',
      'navigation',
      'monitoring',
      'components/ui',
      'components',
      'queries',
      'routes (server)',
      'server/console/**/*.functions.ts',
      searches,
    ],
    types: [records, views],
    packages: 'browser',
  },
  {
    name: 'entries',
    files: ['{router,start,server,client}.{ts,tsx}', 'routeTree.gen.ts'],
    may: [
      'framework',
      'navigation',
      'monitoring/capture',
      'monitoring',
      ...base,
      'server/auth',
      'server/ingest',
      services,
      'server/http',
      'queries',
      'monitoring/*.server.ts',
      'framework/*.server.ts',
      'routes (server)',
      'routes (screens)',
    ],
    packages: 'any',
  },
]

import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { readOwnMigrations } from '../../src/server/store/engine/migrations.ts'

/** The command line, and the worker threads that it starts from separate files. */
const programs = {
  program: 'bin/culvert.ts',
  'commit-thread': 'src/server/store/commit-thread/commit-thread.ts',
  'map-thread': 'src/server/source-maps/map-thread/map-thread.ts',
  'connection-thread': 'src/server/store/engine/postgres/connection-thread.ts',
}

/**
 * Bundles the command line with all its imports into `dist/program` of `folder`: fewer modules start faster
 * and take less memory, and Node does not strip types below `node_modules`, where an installed package is.
 * Throws if the source starts a thread that is not listed above.
 */
export async function bundlePrograms(folder: string, release: string): Promise<void> {
  await bundle({
    input: programs,
    output: join(folder, 'dist/program'),
    packages: true,
    plugins: [threadFiles()],
    define: {
      __CULVERT_RELEASE__: JSON.stringify(release),
      __CULVERT_ROOT__: JSON.stringify('../..'),
      __CULVERT_MIGRATIONS__: JSON.stringify(await readOwnMigrations()),
    },
  })
}

/**
 * The packages of the console with the most modules, 1,200 of 1,300. All packages in one bundle would take
 * 850 MB of memory, with which a machine of 1 GB could not build it.
 */
const packagesOfManyModules = [
  /^@opentelemetry\//,
  /^@sentry\//,
  /^@tanstack\//,
  /^kysely/,
  /^pg/,
  /^pino/,
  /^react/,
  /^seroval/,
]

/**
 * Bundles the console, which the framework has built into `dist/server`, with its packages into
 * `dist/console` of `folder`. `hasAllPackages`: also with those that hardly matter for a start.
 */
export async function bundleConsole(folder: string, { hasAllPackages = false } = {}): Promise<void> {
  await bundle({
    input: { server: 'dist/server/server.js' },
    output: join(folder, 'dist/console'),
    packages: hasAllPackages || packagesOfManyModules,
  })
}

interface Bundle {
  /** Files by the name of their bundle. */
  input: Record<string, string>
  output: string
  /** The packages in the bundle; true: all. */
  packages: true | RegExp[]
  plugins?: Plugin[]
  define?: Record<string, string>
}

/** Not minified, so that stack traces name functions. */
async function bundle({ input, output, packages, plugins = [], define = {} }: Bundle): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins,
    define,
    ssr: { noExternal: packages },
    build: {
      ssr: true,
      outDir: output,
      emptyOutDir: true,
      minify: false,
      target: 'es2023',
      rolldownOptions: {
        input,
        // The SDK's server half does not have all exports of its browser half.
        shimMissingExports: true,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}

/** All files of the bundle are in one folder, so a thread's program is next to the module that starts it. */
function threadFiles(): Plugin {
  return {
    name: 'culvert:thread-files',
    enforce: 'pre',
    transform(code) {
      return code.replaceAll(/new URL\('([a-z-]+)\.ts', import\.meta\.url\)/g, (_, name: string) => {
        if (!Object.hasOwn(programs, name))
          throw new Error(`${name}.ts is a thread: add it to bin/packaging/programs.ts`)
        return `new URL('${name}.js', import.meta.url)`
      })
    },
  }
}

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
 * Not minified, so that stack traces name functions. Throws if the source starts a thread that is not listed
 * above.
 */
export async function bundlePrograms(folder: string, release: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [threadFiles()],
    define: {
      __CULVERT_RELEASE__: JSON.stringify(release),
      __CULVERT_ROOT__: JSON.stringify('../..'),
      __CULVERT_MIGRATIONS__: JSON.stringify(await readOwnMigrations()),
    },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: join(folder, 'dist/program'),
      minify: false,
      target: 'es2023',
      rolldownOptions: {
        input: programs,
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

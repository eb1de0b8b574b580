import { build } from 'vite'

/**
 * Bundles the program of a worker thread with everything it imports into one CommonJS text, for `new
 * Worker(text, { eval: true })`. A bundler does not follow `new URL(…, import.meta.url)` on the server, and a
 * function is deployed without sources.
 */
export async function bundleThreadProgram(path: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: path,
      write: false,
      minify: true,
      target: 'es2023',
      rolldownOptions: { output: { format: 'cjs', codeSplitting: false } },
    },
  })
  const outputs = Array.isArray(built) ? built : [built]
  const chunks = outputs.flatMap((each) => ('output' in each ? each.output : []))
  const [chunk] = chunks
  if (chunk?.type !== 'chunk' || chunks.length !== 1)
    throw new Error(`${path} was built into ${chunks.length} files; a thread needs one`)
  return chunk.code
}

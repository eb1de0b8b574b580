import { useEffect } from 'react'

/**
 * An effect whose code is loaded after the page: `load` returns its start, which returns its stop function.
 * It starts again when `load` changes. If the code fails to load, the page is shown without the effect.
 */
export function useLoadedEffect(load: () => Promise<() => () => void>): void {
  useEffect(() => {
    const ended = new AbortController()
    async function run(): Promise<void> {
      const start = await load()
      if (!ended.signal.aborted) ended.signal.addEventListener('abort', start())
    }
    void run().catch(() => {})
    return () => ended.abort()
  }, [load])
}

import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ThreadsPanel } from './threads.tsx'

it('names the threads without a stack trace, and shows the state of each', () => {
  const stackTrace = { frames: [{ function: 'lock', filename: 'lock.c' }] }
  const threads = [
    { id: '1', name: 'main', crashed: true, state: 'RUNNABLE' },
    { id: '2', name: 'worker', state: 'BLOCKED', stackTrace },
    { id: '3' },
  ]
  const html = renderToStaticMarkup(<ThreadsPanel threads={threads} shown={{}} />)
  const text = html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  expect(text).toContain('worker BLOCKED')
  expect(text).toContain('2 threads without a stack trace')
  expect(text).toMatch(/main crashed RUNNABLE .*Thread 3/)
})

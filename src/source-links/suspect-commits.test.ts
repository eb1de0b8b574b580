import { describe, expect, it } from 'vitest'
import { threadCpuMs } from '#test/cpu-time.ts'
import { findSuspects } from './suspect-commits.ts'

const toEvent = (...frames: (string | { absPath: string })[]) => ({
  exceptions: [
    {
      stackTrace: {
        frames: frames.map((frame) =>
          Object.assign({ inApp: true }, typeof frame === 'string' ? { filename: frame } : frame),
        ),
      },
    },
  ],
  threads: [],
})
const commit = (id: string, ...files: string[]) => ({ id, files })
const roots = [{ from: '/app/', to: 'packages/shop/' }]
const find = (event: ReturnType<typeof toEvent>, ...commits: ReturnType<typeof commit>[]) =>
  findSuspects(event, commits, { roots, limit: 3 }).map((found) => `${found.commit.id} ${found.path}`)

describe('the suspect commits of an event', () => {
  it.each([
    ['/app/cart.ts', 'packages/shop/cart.ts'],
    ['src/cart.ts', 'packages/shop/src/cart.ts'],
    ['./src/cart.ts', 'src/cart.ts'],
    ['/srv/shop/src/cart.ts', 'src/cart.ts'],
    ['C:\\shop\\src\\Cart.cs', 'src/Cart.cs'],
    ['webpack://shop/./src/cart.ts', 'src/cart.ts'],
    ['cart.ts', 'cart.ts'],
  ])('of %s changed %s', (frame, file) => {
    expect(find(toEvent(frame), commit('a', file))).toEqual([`a ${file}`])
  })

  it.each([
    ['/srv/index.js', 'index.js'],
    ['index.js', 'src/index.js'],
    ['/app/cart.ts', 'src/mycart.ts'],
    ['src/cart.ts', 'oldsrc/cart.ts'],
    ['', ''],
    ['/', '/'],
    ['../../etc/passwd', 'etc/shadow'],
  ])('of %s did not change %s', (frame, file) => {
    expect(find(toEvent(frame), commit('a', file))).toEqual([])
  })

  it('are those of the frame nearest to the error first, each once, three at most', () => {
    const event = toEvent('src/far.ts', 'src/near.ts')
    const commits = ['a', 'b', 'c'].map((id) => commit(id, 'src/far.ts'))
    expect(find(event, ...commits, commit('d', 'src/near.ts', 'src/far.ts'))).toEqual([
      'd src/near.ts',
      'a src/far.ts',
      'b src/far.ts',
    ])
  })

  it('are found in linear time', () => {
    const files = Array.from({ length: 2_000 }, (_, index) => `${'a/'.repeat(200)}${index % 2}.ts`)
    const frames = Array.from({ length: 500 }, (_, index) => `${'/'.repeat(300)}x${index}/${index % 2}.ts`)
    const startedAt = threadCpuMs()
    expect(find(toEvent(...frames), commit('a', ...files))).toEqual([])
    expect(threadCpuMs() - startedAt).toBeLessThan(1_000)
  })
})

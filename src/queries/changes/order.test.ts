import { describe, expect, it } from 'vitest'
import { sendInOrder } from './order.ts'

/** Requests that end when the test resolves them, and the order in which they started. */
function openServer() {
  const begun: string[] = []
  const answers = new Map<string, PromiseWithResolvers<string>>()
  const send = (name: string) => () => {
    begun.push(name)
    const answer = Promise.withResolvers<string>()
    answers.set(name, answer)
    return answer.promise
  }
  return { begun, send, answer: (name: string) => answers.get(name) }
}

describe('changes', () => {
  it('of one issue are sent one after another, even after one that failed', async () => {
    const { begun, send, answer } = openServer()
    const first = sendInOrder(['issue-1'], send('resolve'))
    const second = sendInOrder(['issue-1', 'issue-2'], send('archive'))
    const third = sendInOrder(['issue-2'], send('reopen'))
    expect(begun).toEqual(['resolve'])
    answer('resolve')?.reject(new Error('down'))
    await expect(first).rejects.toThrow('down')
    await Promise.resolve()
    expect(begun).toEqual(['resolve', 'archive'])
    answer('archive')?.resolve('archived')
    expect(await second).toBe('archived')
    await Promise.resolve()
    answer('reopen')?.resolve('reopened')
    expect([await third, begun]).toEqual(['reopened', ['resolve', 'archive', 'reopen']])
  })

  it('of different issues are sent at once', () => {
    const { begun, send } = openServer()
    void sendInOrder(['issue-1'], send('one'))
    void sendInOrder(['issue-2'], send('other'))
    void sendInOrder([], send('comment'))
    expect(begun).toEqual(['one', 'other', 'comment'])
  })
})

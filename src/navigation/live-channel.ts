import * as v from 'valibot'

/** By project: the number of the last issue, and the number of reopened issues. */
export type LiveMarks = Record<number, { lastNumber: number; reopenedCount: number }>

const name = 'culvert-live'

/** Delay between connection attempts after a rejection: first and maximum. */
const retryMs = { first: 30_000, most: 300_000 }

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const messageSchema = v.union([
  v.literal('joined'),
  v.record(v.pipe(v.string(), v.digits()), v.tuple([count, count])),
])
type Message = v.InferOutput<typeof messageSchema>

/**
 * Calls back when issues appear or are reopened. One tab of the browser is connected to the server (a browser
 * has six connections to a host over HTTP/1.1) and passes the events on to the others; without the Web Locks
 * API each visible tab connects. Only in the browser. Returns the stop function.
 */
export function openLiveChannel(onMarks: (marks: LiveMarks) => void): () => void {
  const ended = new AbortController()
  const { signal } = ended
  const channel = new BroadcastChannel(name)
  const latest: Exclude<Message, 'joined'> = {}
  let isConnected = false

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only its own origin
  const post = (message: Message) => channel.postMessage(message)

  function hear(text: string): void {
    const message = parseMessage(text)
    if (message === undefined) return
    isConnected = true
    Object.assign(latest, message)
    onMarks(toMarks(message))
    post(message)
  }

  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const { success, output } = v.safeParse(messageSchema, data)
    if (!success) return
    if (output !== 'joined') onMarks(toMarks(output))
    else if (isConnected) post(latest)
  })
  post('joined')
  if ('locks' in navigator) {
    navigator.locks.request(name, { signal }, () => connect(hear, signal)).catch(() => {})
  } else connectWhileVisible(hear, signal)
  return () => {
    ended.abort()
    channel.close()
  }
}

function parseMessage(text: string): Exclude<Message, 'joined'> | undefined {
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), messageSchema), text)
  return success && output !== 'joined' ? output : undefined
}

function toMarks(message: Exclude<Message, 'joined'>): LiveMarks {
  return Object.fromEntries(
    Object.entries(message).map(([projectId, [lastNumber, reopenedCount]]) => [
      projectId,
      { lastNumber, reopenedCount },
    ]),
  )
}

/** Stays connected until the signal fires; EventSource restores a lost connection. */
function connect(hear: (text: string) => void, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let delayMs = retryMs.first
  let timer: ReturnType<typeof setTimeout> | undefined
  let source: EventSource | undefined

  function open(): void {
    source = new EventSource('/live')
    source.addEventListener('issues', ({ data }: MessageEvent<unknown>) => {
      delayMs = retryMs.first
      if (typeof data === 'string') hear(data)
    })
    source.addEventListener('error', () => {
      // Rejected: too many streams are open, or the session has ended.
      if (source?.readyState !== EventSource.CLOSED) return
      timer = setTimeout(open, delayMs * (0.75 + Math.random() / 2))
      delayMs = Math.min(delayMs * 2, retryMs.most)
    })
  }

  function close(): void {
    clearTimeout(timer)
    source?.close()
    resolve()
  }

  if (signal.aborted) close()
  else {
    signal.addEventListener('abort', close, { once: true })
    open()
  }
  return promise
}

function connectWhileVisible(hear: (text: string) => void, signal: AbortSignal): void {
  let hidden = new AbortController()
  function follow(): void {
    hidden.abort()
    if (document.visibilityState !== 'visible') return
    hidden = new AbortController()
    void connect(hear, AbortSignal.any([signal, hidden.signal]))
  }
  document.addEventListener('visibilitychange', follow, { signal })
  follow()
}

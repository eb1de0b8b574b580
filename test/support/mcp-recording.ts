/** A request to `/mcp` and its answer. */
export interface RecordedExchange {
  headers: Record<string, string>
  sent: unknown
  status: number
  answered: unknown
}

/** `fetch` that adds each message of a client to a record, with the headers of the protocol. */
export function recordingFetch(record: RecordedExchange[]) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const answer = await fetch(url, init)
    // The client also asks for a stream, at any time.
    if (init?.method !== 'POST' || typeof init.body !== 'string') return answer
    const headers = [...new Headers(init.headers)].filter(([name]) => name.startsWith('mcp-'))
    const text = await answer.clone().text()
    record.push({
      headers: Object.fromEntries(headers),
      sent: JSON.parse(init.body),
      status: answer.status,
      answered: readAnswer(text),
    })
    return answer
  }
}

/** The message in an answer: JSON, in older revisions a stream of one event, or nothing. */
function readAnswer(text: string): unknown {
  if (text === '') return null
  return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text)
}

/** A session as JSON lines, without what differs between two runs: address, times, and ids. */
export function toSessionText(record: readonly RecordedExchange[], origin: string): string {
  const lines = record.map((exchange) => `${JSON.stringify(exchange)}\n`)
  return lines
    .join('')
    .replaceAll(origin, 'https://culvert.test')
    .replaceAll(/\b[0-9a-f]{32}\b/g, 'EVENT_ID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
    .replaceAll(/issue `\d+`/g, 'issue `ISSUE_ID`')
}

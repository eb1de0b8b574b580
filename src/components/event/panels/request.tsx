import { toCurlCommand } from '#components/event/curl-command.ts'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { DefinitionList } from '#components/ui/definition-list.tsx'
import { Disclosure } from '#components/ui/disclosure.tsx'
import { JsonTree } from '#components/ui/json-tree.tsx'
import { MarkedText } from '#components/ui/marked-text.tsx'
import type { RequestInfo } from '#protocol/event.ts'

/** The HTTP request of the event. */
export function RequestPanel({ request }: { request: RequestInfo }) {
  const { method, url, fragment, query, headers, cookies, data, env } = request
  const curl = toCurlCommand(request)
  return (
    <>
      {url === undefined && method === undefined ? null : (
        <p className="request-line">
          {method === undefined ? null : <strong>{method}</strong>}{' '}
          <bdi>
            <MarkedText text={url ?? ''} />
          </bdi>
          {fragment === undefined ? null : (
            <bdi>
              #<MarkedText text={fragment} />
            </bdi>
          )}
        </p>
      )}
      <PairList title="Query" pairs={query} isOpen />
      {data === undefined ? null : (
        <Disclosure summary="Body" isOpen>
          <JsonTree value={data} />
        </Disclosure>
      )}
      <PairList title="Headers" pairs={headers} isOpen={(headers?.length ?? 0) <= 8} />
      <PairList title="Cookies" pairs={cookies} isOpen={false} />
      {curl === undefined ? null : (
        <Disclosure summary="cURL">
          <CodeBlock code={curl} label="Shell" />
        </Disclosure>
      )}
      {env === undefined || Object.keys(env).length === 0 ? null : (
        <Disclosure summary="Environment">
          <DefinitionList
            items={Object.entries(env).map(([name, value]) => ({
              term: name,
              description: <JsonTree value={value} />,
            }))}
          />
        </Disclosure>
      )}
    </>
  )
}

interface PairListProps {
  title: string
  pairs: readonly (readonly [string, string])[] | undefined
  isOpen: boolean
}

function PairList({ title, pairs, isOpen }: PairListProps) {
  if (pairs === undefined || pairs.length === 0) return null
  return (
    <Disclosure summary={`${title} (${pairs.length})`} isOpen={isOpen}>
      <DefinitionList
        items={pairs.map(([name, value]) => ({
          term: name,
          description: (
            <bdi className="mono">
              <MarkedText text={value} />
            </bdi>
          ),
        }))}
      />
    </Disclosure>
  )
}

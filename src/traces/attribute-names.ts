/**
 * Names of attributes that OpenTelemetry or Sentry replaced, and that SDKs and Collectors still send, with
 * their current names. From Sentry's list (sentry-conventions), for the attributes that are read.
 */
const currentNames: ReadonlyMap<string, string> = new Map([
  ['http.method', 'http.request.method'],
  ['http.request_method', 'http.request.method'],
  ['http.status_code', 'http.response.status_code'],
  ['http.url', 'url.full'],
  ['http.target', 'url.path'],
  ['http.scheme', 'url.scheme'],
  ['http.host', 'server.address'],
  ['http.server_name', 'server.address'],
  ['http.user_agent', 'user_agent.original'],
  ['http.client_ip', 'client.address'],
  ['http.flavor', 'network.protocol.version'],
  ['http.request_content_length', 'http.request.body.size'],
  ['http.response_content_length', 'http.response.body.size'],
  ['net.host.name', 'server.address'],
  ['net.host.port', 'server.port'],
  ['net.peer.name', 'server.address'],
  ['net.peer.port', 'server.port'],
  ['net.peer.ip', 'network.peer.address'],
  ['net.sock.peer.addr', 'network.peer.address'],
  ['net.sock.peer.port', 'network.peer.port'],
  ['net.host.ip', 'network.local.address'],
  ['net.sock.host.addr', 'network.local.address'],
  ['net.sock.host.port', 'network.local.port'],
  ['net.transport', 'network.transport'],
  ['net.protocol.name', 'network.protocol.name'],
  ['net.protocol.version', 'network.protocol.version'],
  ['db.system', 'db.system.name'],
  ['db.statement', 'db.query.text'],
  ['db.name', 'db.namespace'],
  ['db.operation', 'db.operation.name'],
  ['db.sql.table', 'db.collection.name'],
  ['db.mongodb.collection', 'db.collection.name'],
  ['db.cassandra.table', 'db.collection.name'],
  ['db.cosmosdb.container', 'db.collection.name'],
  ['messaging.operation', 'messaging.operation.type'],
  ['messaging.destination', 'messaging.destination.name'],
  ['messaging.message_id', 'messaging.message.id'],
  ['messaging.message_payload_size_bytes', 'messaging.message.body.size'],
  ['messaging.kafka.consumer_group', 'messaging.consumer.group.name'],
  ['messaging.kafka.consumer.group', 'messaging.consumer.group.name'],
  ['code.function', 'code.function.name'],
  ['code.filepath', 'code.file.path'],
  ['code.lineno', 'code.line.number'],
  ['deployment.environment', 'deployment.environment.name'],
  ['faas.execution', 'faas.invocation_id'],
  ['faas.id', 'cloud.resource_id'],
  ['gen_ai.system', 'gen_ai.provider.name'],
  ['gen_ai.usage.prompt_tokens', 'gen_ai.usage.input_tokens'],
  ['gen_ai.usage.completion_tokens', 'gen_ai.usage.output_tokens'],
])

const earlierNames = Map.groupBy(currentNames.keys(), (name) => currentNames.get(name) ?? name)

/** The names under which an attribute can be sent: the current one first, then its earlier ones. */
export function listSentNames(name: string): readonly string[] {
  return [name, ...(earlierNames.get(name) ?? [])]
}

/**
 * Adds an attribute under its current name: `http.request.method` for `http.method`. `http.target` becomes
 * two attributes, for path and query.
 */
export function addUnderCurrentName<Value>(
  [name, value]: readonly [name: string, value: Value],
  add: (name: string, value: Value | string) => void,
): void {
  const current = currentNames.get(name)
  if (current === undefined || typeof value !== 'string') add(current ?? name, value)
  else if (name === 'http.target') {
    const end = value.indexOf('?')
    add(current, end === -1 ? value : value.slice(0, end))
    if (end !== -1) add('url.query', value.slice(end + 1))
  } else add(current, name === 'http.host' ? value.replace(/:\d+$/, '') : value)
}

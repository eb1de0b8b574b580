import type { SearchWord } from './word.ts'

/** A word whose values are patterns, compared with a tag unless it has another source. */
function ofEvents(
  word: string,
  description: string,
  { sample, ...rest }: Partial<SearchWord> & { sample: string },
): SearchWord {
  return { word, description, kind: 'pattern', source: { from: 'tag' }, sample, ...rest }
}

const trait = { source: { from: 'trait' } } as const

/** The words about the events of an issue. */
export const eventWords: readonly SearchWord[] = [
  ofEvents('error.type', 'type of an exception or cause', { sample: 'TypeError', ...trait }),
  ofEvents('error.mechanism', 'mechanism that captured the event', {
    sample: 'onerror',
    source: { from: 'tag', key: 'mechanism' },
  }),
  ofEvents('stack.filename', 'file of a stack frame', { sample: '*checkout.ts', ...trait }),
  ofEvents('stack.function', 'function of a stack frame', { sample: 'handleClick', ...trait }),
  ofEvents('stack.module', 'module of a stack frame', { sample: 'shop.checkout', ...trait }),
  ofEvents('sdk.name', 'SDK name', { sample: 'sentry.javascript.*', ...trait }),
  ofEvents('sdk.version', 'SDK version', { sample: '10.*', ...trait }),
  ofEvents('flags', 'feature flag and its value', { sample: 'new-checkout:true', ...trait }),
  ofEvents('user.id', 'user ID', { sample: '7' }),
  ofEvents('user.email', 'user email', { sample: '*@example.com' }),
  ofEvents('user.username', 'username', { sample: 'ada' }),
  ofEvents('user.ip', 'user IP address', { sample: '192.0.2.*' }),
  ofEvents('user', 'user, as kind and value', { sample: 'id:7' }),
  ofEvents('url', 'request URL', { sample: '*/checkout*', aliases: ['http.url'] }),
  ofEvents('http.method', 'request method', { sample: 'POST', ...trait }),
  ofEvents('http.status_code', 'response status', { sample: '502', ...trait }),
  ofEvents('transaction', 'transaction', { sample: '/checkout' }),
  ofEvents('logger', 'logger', { sample: 'django.request' }),
  ofEvents('server_name', 'server name', { sample: 'web-1' }),
  ofEvents('dist', 'distribution', { sample: '52' }),
  ofEvents('browser.name', 'browser', { sample: 'Firefox' }),
  ofEvents('browser.version', 'browser version', {
    sample: '143.*',
    source: { from: 'tag', key: 'browser', holds: 'version' },
  }),
  ofEvents('os.name', 'operating system', { sample: 'Windows' }),
  ofEvents('os.version', 'operating system version', {
    sample: '17.*',
    source: { from: 'tag', key: 'os', holds: 'version' },
  }),
  ofEvents('os.build', 'operating system build', { sample: '23E224', ...trait }),
  ofEvents('os.kernel_version', 'kernel version', { sample: '6.1.*', ...trait }),
  ofEvents('os.distribution_name', 'Linux distribution', { sample: 'debian', ...trait }),
  ofEvents('os.distribution_version', 'Linux distribution version', {
    sample: '12*',
    ...trait,
  }),
  ofEvents('runtime.name', 'runtime', { sample: 'node' }),
  ofEvents('runtime.version', 'runtime version', {
    sample: '24.*',
    source: { from: 'tag', key: 'runtime', holds: 'version' },
  }),
  ofEvents('device.family', 'device family', { sample: 'iPhone' }),
  ofEvents('device.model', 'device model', {
    sample: 'iPhone16,2',
    source: { from: 'tag', key: 'device' },
  }),
  ofEvents('device.model_id', 'internal device model', {
    sample: 'D84AP',
    ...trait,
  }),
  ofEvents('device.brand', 'device brand', { sample: 'google', ...trait }),
  ofEvents('device.arch', 'processor architecture', { sample: 'arm64', ...trait }),
  ofEvents('geo.country_code', 'country of the user, if the SDK sends it', {
    sample: 'DE',
  }),
  ofEvents('geo.region', 'region of the user, if the SDK sends it', {
    sample: 'Germany',
  }),
  ofEvents('geo.subdivision', 'subdivision of the user’s country, if the SDK sends it', {
    sample: 'Bavaria',
  }),
  ofEvents('geo.city', 'city of the user, if the SDK sends it', { sample: 'Munich' }),
]

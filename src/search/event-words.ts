import type { SearchWord } from './search-word.ts'

/** A word that is compared with patterns: of a tag, unless its source is another one. */
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
  ofEvents('error.type', 'with an exception of the type, also as a cause', { sample: 'TypeError', ...trait }),
  ofEvents('error.mechanism', 'with an event that was captured in this way', {
    sample: 'onerror',
    source: { from: 'tag', key: 'mechanism' },
  }),
  ofEvents('stack.filename', 'with a frame in the file', { sample: '*checkout.ts', ...trait }),
  ofEvents('stack.function', 'with a frame in the function', { sample: 'handleClick', ...trait }),
  ofEvents('stack.module', 'with a frame in the module', { sample: 'shop.checkout', ...trait }),
  ofEvents('sdk.name', 'with an event of the SDK', { sample: 'sentry.javascript.*', ...trait }),
  ofEvents('sdk.version', 'with an event of the version of its SDK', { sample: '10.*', ...trait }),
  ofEvents('user.id', 'with an event of the user with the id', { sample: '7' }),
  ofEvents('user.email', 'with an event of the user with the address', { sample: '*@example.com' }),
  ofEvents('user.username', 'with an event of the user with the name', { sample: 'ada' }),
  ofEvents('user.ip', 'with an event of a user at the IP address', { sample: '192.0.2.*' }),
  ofEvents('user', 'with an event of the user, as kind and value', { sample: 'id:7' }),
  ofEvents('url', 'with an event of a request to the URL', { sample: '*/checkout*', aliases: ['http.url'] }),
  ofEvents('http.method', 'with an event of a request by the method', { sample: 'POST', ...trait }),
  ofEvents('http.status_code', 'with an event of a response with the status', { sample: '502', ...trait }),
  ofEvents('transaction', 'with an event of the transaction', { sample: '/checkout' }),
  ofEvents('logger', 'with an event of the logger', { sample: 'django.request' }),
  ofEvents('server_name', 'with an event of the server', { sample: 'web-1' }),
  ofEvents('dist', 'with an event of the distribution of a release', { sample: '52' }),
  ofEvents('browser.name', 'with an event of the browser', { sample: 'Firefox' }),
  ofEvents('browser.version', 'with an event of the version of a browser', {
    sample: '143.*',
    source: { from: 'tag', key: 'browser', holds: 'version' },
  }),
  ofEvents('os.name', 'with an event of the operating system', { sample: 'Windows' }),
  ofEvents('os.version', 'with an event of the version of an operating system', {
    sample: '17.*',
    source: { from: 'tag', key: 'os', holds: 'version' },
  }),
  ofEvents('os.build', 'with an event of the build of an operating system', { sample: '23E224', ...trait }),
  ofEvents('os.kernel_version', 'with an event of the kernel', { sample: '6.1.*', ...trait }),
  ofEvents('os.distribution_name', 'with an event of the Linux distribution', { sample: 'debian', ...trait }),
  ofEvents('os.distribution_version', 'with an event of the version of a Linux distribution', {
    sample: '12*',
    ...trait,
  }),
  ofEvents('runtime.name', 'with an event of the runtime', { sample: 'node' }),
  ofEvents('runtime.version', 'with an event of the version of a runtime', {
    sample: '24.*',
    source: { from: 'tag', key: 'runtime', holds: 'version' },
  }),
  ofEvents('device.family', 'with an event of the family of devices', { sample: 'iPhone' }),
  ofEvents('device.model', 'with an event of the model of a device', {
    sample: 'iPhone16,2',
    source: { from: 'tag', key: 'device' },
  }),
  ofEvents('device.model_id', 'with an event of the internal model of a device', {
    sample: 'D84AP',
    ...trait,
  }),
  ofEvents('device.brand', 'with an event of the brand of a device', { sample: 'google', ...trait }),
  ofEvents('device.arch', 'with an event of the processor architecture', { sample: 'arm64', ...trait }),
  ofEvents('geo.country_code', 'with an event of a user in the country, where the SDK sends it', {
    sample: 'DE',
  }),
  ofEvents('geo.region', 'with an event of a user in the region, where the SDK sends it', {
    sample: 'Germany',
  }),
  ofEvents('geo.subdivision', 'with an event of a user in the part of a country, where the SDK sends it', {
    sample: 'Bavaria',
  }),
  ofEvents('geo.city', 'with an event of a user in the city, where the SDK sends it', { sample: 'Munich' }),
]

import { describe, expect, it } from 'vitest'
import type { Frame } from '#protocol/event.ts'
import { appendFrame } from './frame.ts'

function partsOf(platform: string, frame: Frame): string[] {
  const parts: string[] = []
  appendFrame(frame, platform, parts)
  return parts.slice(1)
}

describe('appendFrame', () => {
  it('adds nothing for a frame without a function, a file or a source line', () => {
    expect(partsOf('python', {})).toEqual([])
    expect(partsOf('python', { lineNumber: 7, columnNumber: 2, vars: { a: 1 }, function: '?' })).toEqual([])
  })

  it('prefers the module to the file', () => {
    expect(partsOf('python', { module: 'shop.pay', filename: 'shop/pay.py' })).toEqual(['in shop.pay'])
  })

  it.each([
    ['/data/releases/20140114151955/app/Pay.rb', 'pay.rb'],
    ['C:\\inetpub\\Shop\\Pay.cs', 'pay.cs'],
    ['app:///dist/main.3f2a1b9c.js?v=7#x', 'main.<hash>.js'],
    ['assets/index-BTfJx2Lk.js', 'index-<hash>.js'],
    ['assets/index-MyWidget.js', 'index-mywidget.js'],
    ['jquery-3.6.0.min.js', 'jquery-<version>.min.js'],
    ['page.html line 3 > eval', 'page.html'],
    ['file:///srv/page.html', 'page.html'],
  ])('names the file %j %j', (filename, name) => {
    expect(partsOf('other', { filename })).toEqual([`in ${name}`])
  })

  it.each([
    'https://a.test/x.js',
    'http://a.test/x.js',
    'blob:https://a.test/1-2',
    '<anonymous>',
    '[native code]',
  ])('names no file for %j', (filename) => {
    expect(partsOf('other', { filename, absPath: filename })).toEqual([])
  })

  it('ignores a JavaScript module that is the path of the page', () => {
    const absPath = 'https://a.test/foo/bar/baz'
    expect(partsOf('javascript', { module: 'foo/bar/baz', absPath, function: 'a' })).toEqual(['function a'])
    expect(partsOf('javascript', { module: 'app/api', absPath: 'webpack:///./app/api.jsx' })).toEqual([
      'in app/api',
    ])
  })

  it.each([
    ['sun.reflect.GeneratedMethodAccessor12345', 'sun.reflect.GeneratedMethodAccessor'],
    [
      'sun.reflect.GeneratedSerializationConstructorAccessor1',
      'sun.reflect.GeneratedSerializationConstructorAccessor',
    ],
    [
      'a.B$$EnhancerBySpringCGLIB$$1ebdddb0$$FastClassBySpringCGLIB$$6c0b35d1',
      'a.B$$EnhancerBySpringCGLIB$$$$FastClassBySpringCGLIB$$',
    ],
    ['a.B$$EnhancerByGuice$$1234_2', 'a.B$$EnhancerByGuice$$'],
    ['a.B_$$_javassist_seam_74', 'a.B_$$_javassist'],
    ['a.B_$$_jvst1a2_0', 'a.B_$$_jvst'],
    ['com.sun.proxy.$Proxy12', 'com.sun.proxy.$Proxy'],
    ['a.core$_main$fn__1539$fn__1540', 'a.core$_main$fn__$fn__'],
    ['a.B$$Lambda$14/0x0000000800066840', 'a.B'],
    ['a.B$$ExternalSyntheticLambda3', 'a.B$$ExternalSyntheticLambda'],
    ['a.B$C$1', 'a.B$C$1'],
  ])('names the Java class %j %j', (module, name) => {
    expect(partsOf('java', { module })).toEqual([`in ${name}`])
  })

  it.each([
    ['javascript', 'Foo.prototype.bar', 'bar'],
    ['javascript', 'Object.bar [as baz]', 'bar'],
    ['javascript', 'async*load', 'load'],
    ['javascript', 'async load', 'load'],
    ['javascript', 'new Foo', 'Foo'],
    ['node', 'test/inner', 'inner'],
    ['java', 'onCreate$lambda-0', 'onCreate$lambda'],
    ['csharp', 'Foo.<Bar>b__12_0 (System.Int32 x)', 'Foo.<Bar>b__'],
    ['csharp', '<>c__DisplayClass3_1.<Run>d__4', '<>c__DisplayClass.<Run>d__'],
    ['php', 'class@anonymous\0/srv/x.php:20$1a::handle', 'class@anonymous::handle'],
    ['php', '{closure:App\\Foo::bar():12}', '{closure}'],
    ['ruby', 'block (2 levels) in _callback_around_233', '_callback_around'],
    ['ruby', '_show_html_erb__3327151541118998292_70361296749460', '_show_html_erb'],
    ['go', 'main.(*Server).Run.func1.2', 'main.(*Server).Run.func'],
    ['python', '<lambda>', '<lambda>'],
  ])('%s: the function %j is %j', (platform, written, name) => {
    expect(partsOf(platform, { function: written })).toEqual([`function ${name}`])
  })

  it.each([
    ['javascript', '?'],
    ['javascript', 'Object.<anonymous>'],
    ['javascript', 'Anonymous function'],
    ['javascript', 'test/<'],
    ['java', 'lambda$work$1'],
    ['php', '[Anonymous function]'],
    ['native', '<redacted>'],
    ['native', '0x7fff714c49b0'],
  ])('%s: the function %j has no name', (platform, written) => {
    expect(partsOf(platform, { function: written })).toEqual([])
  })

  it('uses the source line instead of the function when its platform sends the executed line', () => {
    const frame = { function: 'pay', contextLine: '   total  =\tsum(prices) ' }
    expect(partsOf('python', frame)).toEqual(['line total = sum(prices)'])
    expect(partsOf('java', frame)).toEqual(['function pay'])
  })

  it.each(['x'.repeat(121), '{snip} a=b {snip}', '   '])('ignores an unhelpful line: %j', (contextLine) => {
    expect(partsOf('javascript', { function: 'pay', contextLine })).toEqual(['function pay'])
  })

  it('ignores the line of an anonymous frame from the web: it may be the page', () => {
    expect(partsOf('javascript', { absPath: 'https://a.test/', contextLine: '<html>' })).toEqual([])
  })

  it('checks the platform of the frame, not of the event', () => {
    expect(partsOf('constructor', { function: 'a.b' })).toEqual(['function a.b'])
  })

  it.each(['[native code]', 'native code', 'eval code', '<anonymous>'])(
    'drops the JavaScript engine at %j',
    (absPath) => {
      expect(partsOf('javascript', { absPath, function: 'map' })).toEqual([])
    },
  )
})

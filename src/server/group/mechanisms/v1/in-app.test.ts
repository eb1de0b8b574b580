import { describe, expect, it } from 'vitest'
import type { Frame } from '#protocol/event.ts'
import { createInAppPredicate } from './in-app.ts'

describe('createInAppPredicate', () => {
  it('uses the marks of the SDK as soon as it has marked one frame', () => {
    const [own, library, unmarked]: Frame[] = [{ inApp: true }, { inApp: false }, { filename: 'app.py' }]
    const frames = [own, library, unmarked].filter((frame) => frame !== undefined)
    expect(frames.map(createInAppPredicate([{ frames }], 'python'))).toEqual([true, false, false])
  })

  it.each<[platform: string, frame: Frame]>([
    ['node', { absPath: '/srv/node_modules/express/router.js' }],
    ['node', { filename: 'node:internal/timers' }],
    ['node', { absPath: 'C:\\srv\\node_modules\\express\\router.js' }],
    ['javascript', { absPath: 'https://unpkg.com/react@18/react.js' }],
    ['javascript', { absPath: 'chrome-extension://abc/x.js' }],
    ['python', { absPath: '/usr/lib/python3.12/site-packages/django/base.py' }],
    ['python', { absPath: '/usr/lib/python3.12/asyncio/events.py' }],
    ['php', { filename: '/srv/vendor/laravel/x.php' }],
    ['ruby', { absPath: '/usr/lib/ruby/gems/3.3.0/gems/rails-7.1/x.rb' }],
    ['java', { module: 'java.util.concurrent.ThreadPoolExecutor' }],
    ['java', { module: 'org.springframework.web.Servlet' }],
    ['csharp', { function: 'System.Linq.Enumerable.First' }],
    ['go', { absPath: '/root/go/pkg/mod/github.com/x/y.go' }],
    ['native', { package: '/usr/lib/system/libdyld.dylib' }],
    ['native', { package: 'C:\\Windows\\System32\\kernel32.dll' }],
    ['native', { function: 'std::panicking::begin_panic' }],
    ['constructor', { platform: 'java', module: 'java.lang.Thread' }],
  ])('recognizes a library of %s: %j', (platform, frame) => {
    expect(createInAppPredicate([{ frames: [frame] }], platform)(frame)).toBe(false)
  })

  it.each<[platform: string, frame: Frame]>([
    ['node', { absPath: '/srv/app/node_modules.js' }],
    ['python', { absPath: '/srv/app/views.py' }],
    ['java', { module: 'javagently.Main' }],
    ['java', { module: 'com.acme.java.Main' }],
    ['native', { function: 'standard::run', package: '/opt/acme/bin/shop' }],
    ['other', {}],
  ])('treats everything else as in-app, as for %s: %j', (platform, frame) => {
    expect(createInAppPredicate([{ frames: [frame] }], platform)(frame)).toBe(true)
  })
})

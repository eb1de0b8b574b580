import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerDownload } from './download-answer.ts'

const bytes = new TextEncoder().encode('<script>alert(1)</script>')
const disposition = (name: string) => answerDownload({ name, bytes }).headers.get('content-disposition') ?? ''

describe('answerDownload', () => {
  it('is saved and never displayed, for any content', async () => {
    const answer = answerDownload({ name: 'page.html', bytes })
    expect(Object.fromEntries(answer.headers)).toEqual({
      'content-type': 'application/octet-stream',
      'content-length': '25',
      'content-disposition': `attachment; filename="page.html"; filename*=UTF-8''page.html`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(await answer.text()).toBe('<script>alert(1)</script>')
  })

  it('returns 404 when there is no file', () => {
    expect(answerDownload(undefined).status).toBe(404)
  })

  it.each([
    ['../../etc/passwd', `attachment; filename="__.._etc_passwd"; filename*=UTF-8''__.._etc_passwd`],
    [
      'a"; filename="b.exe',
      `attachment; filename="a_; filename=_b.exe"; filename*=UTF-8''a_%3B%20filename%3D_b.exe`,
    ],
    [
      'Rechnung für Zoë.pdf',
      `attachment; filename="Rechnung f_r Zo_.pdf"; filename*=UTF-8''Rechnung%20f%C3%BCr%20Zo%C3%AB.pdf`,
    ],
    ["it's (1)*.txt", `attachment; filename="it's (1)_.txt"; filename*=UTF-8''it%27s%20%281%29_.txt`],
    ['photo\u202Egpj.exe', `attachment; filename="photo_gpj.exe"; filename*=UTF-8''photo_gpj.exe`],
    ['a\r\nset-cookie: b', `attachment; filename="a__set-cookie_ b"; filename*=UTF-8''a__set-cookie_%20b`],
    ['  ', `attachment; filename="attachment"; filename*=UTF-8''attachment`],
  ])('names %j harmlessly', (name, expected) => {
    expect(disposition(name)).toBe(expected)
  })

  it('builds one valid header for any name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        expect(disposition(name)).toMatch(
          /^attachment; filename="[\x20-\x21\x23-\x7e]+"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/,
        )
      }),
    )
  })
})

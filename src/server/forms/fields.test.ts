import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { isTicked, multilineText, rawText, readFormFields, text, texts } from './fields.ts'

describe('the fields of a form', () => {
  it('are a text each, or a list when a name occurs more than once; files are omitted', () => {
    const form = new FormData()
    form.append('name', 'Ada')
    form.append('scopes', 'a')
    form.append('scopes', 'b')
    form.append('file', new File(['x'], 'x.txt'))
    form.append('__proto__', 'a')
    form.append('__proto__', 'b')
    const fields = readFormFields(form)
    expect(Object.entries(fields)).toEqual([
      ['name', 'Ada'],
      ['scopes', ['a', 'b']],
      ['__proto__', ['a', 'b']],
    ])
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype)
  })

  const form = v.object({ rawText, text, multilineText, isTicked, texts })

  it('have values even if they are missing', () => {
    expect(v.parse(form, {})).toEqual({
      rawText: '',
      text: '',
      multilineText: '',
      isTicked: false,
      texts: [],
    })
  })

  it('are read as texts, boxes and lists', () => {
    expect(
      v.parse(form, {
        rawText: ' a ',
        text: ['first', ' last '],
        multilineText: 'a\r\nb\rc\n\n',
        isTicked: 'on',
        texts: 'one',
      }),
    ).toEqual({ rawText: ' a ', text: 'last', multilineText: 'a\nb\nc', isTicked: true, texts: ['one'] })
    expect(v.parse(isTicked, '')).toBe(true)
  })
})

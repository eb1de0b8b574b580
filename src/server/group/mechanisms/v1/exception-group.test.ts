import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ExceptionValue } from '#protocol/event.ts'
import { telltaleExceptions } from './exception-group.ts'

interface Shape {
  id?: number
  parent?: number
  isGroup?: boolean
}

function toException(type: string, { id, parent, isGroup }: Shape): ExceptionValue {
  return {
    type,
    mechanism: {
      ...(id === undefined ? {} : { exceptionId: id }),
      ...(parent === undefined ? {} : { parentId: parent }),
      ...(isGroup === undefined ? {} : { isExceptionGroup: isGroup }),
    },
  }
}

const typesOf = (exceptions: ExceptionValue[]) =>
  telltaleExceptions(exceptions, (exception) => exception.type ?? '').map((exception) => exception.type)

describe('telltaleExceptions', () => {
  it('terminates and returns only given exceptions for every tree and every cycle', () => {
    const shape = fc.record({ id: fc.nat(6), parent: fc.nat(6), isGroup: fc.boolean() }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.array(shape, { maxLength: 7 }), (shapes) => {
        const exceptions = shapes.map((each, index) => toException(`E${index}`, each))
        const telltale = telltaleExceptions(exceptions, (exception) => exception.type ?? '')
        expect(new Set(telltale).size).toBe(telltale.length)
        expect(telltale.every((exception) => exceptions.includes(exception))).toBe(true)
        expect(telltale.length > 0).toBe(exceptions.length > 0)
      }),
    )
  })

  it('keeps a plain chain as it is', () => {
    const chain = [toException('Cause', { id: 1, parent: 0 }), toException('Outer', { id: 0 })]
    expect(typesOf(chain)).toEqual(['Cause', 'Outer'])
    expect(typesOf([toException('A', {}), toException('Group', { isGroup: true })])).toEqual(['A', 'Group'])
  })

  it('treats a group of equal exceptions as one of them, with its causes', () => {
    const exceptions = [
      toException('Da', { id: 3, parent: 0 }),
      toException('Cause', { id: 2, parent: 1 }),
      toException('Da', { id: 1, parent: 0 }),
      toException('Group', { id: 0, isGroup: true }),
    ]
    expect(typesOf(exceptions)).toEqual(['Cause', 'Da'])
  })

  it('returns each distinct exception of nested groups once, in a stable order', () => {
    const exceptions = [
      toException('B', { id: 4, parent: 2 }),
      toException('A', { id: 3, parent: 2 }),
      toException('Inner', { id: 2, parent: 0, isGroup: true }),
      toException('B', { id: 1, parent: 0 }),
      toException('Outer', { id: 0, isGroup: true }),
    ]
    expect(typesOf(exceptions)).toEqual(['A', 'B'])
  })
})

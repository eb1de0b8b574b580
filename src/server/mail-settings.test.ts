import { describe, expect, it } from 'vitest'
import { findMailAddress, parseSmtpUrl } from './mail-settings.ts'

describe('parseSmtpUrl', () => {
  it.each([
    [
      'smtp://mail.example.com',
      { host: 'mail.example.com', port: 587, isTlsFromStart: false, requiresTls: false },
    ],
    [
      'smtps://mail.example.com',
      { host: 'mail.example.com', port: 465, isTlsFromStart: true, requiresTls: false },
    ],
    [
      'smtp://a%40b.c:p%3A%2F@MAIL.example.com:25',
      {
        host: 'mail.example.com',
        port: 25,
        isTlsFromStart: false,
        requiresTls: true,
        user: 'a@b.c',
        password: 'p:/',
      },
    ],
    [
      'smtp://u:p@localhost:1025',
      { host: 'localhost', port: 1025, isTlsFromStart: false, requiresTls: false, user: 'u', password: 'p' },
    ],
    [
      'smtp://u:p@mail.lan?tls=optional',
      { host: 'mail.lan', port: 587, isTlsFromStart: false, requiresTls: false, user: 'u', password: 'p' },
    ],
    ['smtp://[fd00::1]:25/', { host: 'fd00::1', port: 25, isTlsFromStart: false, requiresTls: false }],
  ])('reads %s', (text, server) => {
    expect(parseSmtpUrl(text)).toEqual(server)
  })

  it.each([
    '',
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp://user@mail.example.com',
    'smtp://mail.example.com/path',
    'smtp://u:%zz@mail.example.com',
    'smtp://u:p@mail.example.com?tls=no',
  ])('rejects %j', (text) => {
    expect(parseSmtpUrl(text)).toBeUndefined()
  })
})

describe('findMailAddress', () => {
  it.each([
    ['culvert@example.com', 'culvert@example.com'],
    ['Culvert <culvert@example.com>', 'culvert@example.com'],
    ['Culvert', undefined],
    ['Culvert <culvert@example.com>, <b@c.d>', undefined],
    ['a@b.c\r\nBcc: x@y.z', undefined],
  ])('reads %j as %j', (text, address) => {
    expect(findMailAddress(text)).toBe(address)
  })
})

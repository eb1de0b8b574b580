import { expect, it } from 'vitest'
import { isSessionCookie } from './cookie-text.ts'

const digits = '49c1d5f2a0b3c4d5e6f708192a3b4c5d'

it.each([
  'sid',
  'sessionid',
  '__Host-session',
  '_shop_session',
  'laravel_session',
  'XSRF-TOKEN',
  'remember_web_59ba36',
  // Drupal, WordPress and PrestaShop: their names contain a hash of the site.
  `SESS${digits}`,
  `SSESS${digits}`,
  `wordpress_${digits}`,
  `wordpress_sec_${digits}`,
  `wordpress_logged_in_${digits}`,
  `wp-postpass_${digits}`,
  `PrestaShop-${digits}`,
  // ASP.NET.
  '.AspNetCore.Cookies',
  '.AspNetCore.CookiesC1',
  '__Host-.AspNetCore.Cookies',
  '.AspNetCore.Antiforgery.cdV5uW_Ejgc',
  '.AspNetCore.Identity.Application',
  '.AspNet.ApplicationCookie',
  'CAKEPHP',
  'fe_typo_user',
  '_shop_key',
  'xf_user',
  'MYSAPSSO2',
  '_pomerium',
])('%s is a session cookie', (name) => {
  expect(isSessionCookie(name)).toBe(true)
})

it.each([
  'theme',
  '_ga',
  'locale',
  'sort_key',
  'sessile',
  'wordpress_test_cookie',
  'wp-settings-1',
  '.AspNetCore.Culture',
])('%s is none', (name) => {
  expect(isSessionCookie(name)).toBe(false)
})

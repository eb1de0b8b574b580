import { describe, expect, it } from 'vitest'
import {
  findTracker,
  parseTrackerIssue,
  toIssueBody,
  toNewIssueUrl,
  type IssueDraft,
  type IssueTrackerSettings,
  type TrackerTarget,
} from './issue-tracker.ts'

const noJira = { jiraProject: '', jiraType: '', jiraEmail: '' }
const settings: IssueTrackerSettings = { kind: 'repository', url: '', ...noJira }
const github: TrackerTarget = {
  kind: 'github',
  url: 'https://github.com/acme/shop',
  ...noJira,
}
const draft: IssueDraft = {
  title: 'TypeError: x & y',
  intro: 'SHOP-1',
  address: 'https://c.test/1',
  quoted: 'at pay (cart.ts:7)',
}

describe('the tracker of a project', () => {
  it('is the code host of its source links, unless another one is chosen', () => {
    const links = { host: 'gitlab', url: 'https://gitlab.com/acme/shop' } as const
    expect(findTracker(settings, links)).toMatchObject({ kind: 'gitlab', url: links.url })
    expect(findTracker({ ...settings, kind: 'none' }, links)).toBeUndefined()
    expect(findTracker(settings, { host: 'bitbucket', url: 'https://bitbucket.org/a/b' })).toBeUndefined()
    expect(findTracker(settings, { host: 'github', url: '' })).toBeUndefined()
    expect(findTracker({ ...settings, kind: 'linear' }, links)).toMatchObject({ kind: 'linear', url: '' })
  })
})

describe('the address of a new issue', () => {
  it.each([
    ['github', 'https://t.test/a/b', '/a/b/issues/new', 'title', 'body'],
    ['gitlab', 'https://t.test/a/b', '/a/b/-/issues/new', 'issue[title]', 'issue[description]'],
    ['jira', 'https://t.test', '/secure/CreateIssueDetails!init.jspa', 'summary', 'description'],
    ['linear', 'https://t.test/acme/team/ENG', '/acme/team/ENG/new', 'title', 'description'],
  ] as const)('of %s has its form with title and text', (...[kind, url, path, titleField, bodyField]) => {
    const made = new URL(
      toNewIssueUrl({ kind, url, ...noJira, jiraProject: '10000', jiraType: '10001' }, draft),
    )
    expect(made.pathname).toBe(path)
    expect(made.searchParams.get(titleField)).toBe('TypeError: x & y')
    expect(made.searchParams.get(bodyField)).toContain('at pay (cart.ts:7)')
    expect(made.searchParams.get('pid')).toBe(kind === 'jira' ? '10000' : null)
  })

  it.each([
    ['of letters', 'x'.repeat(100_000)],
    ['of signs that are encoded', '𝄞é&%'.repeat(30_000)],
    ['of lone surrogates', '\ud834'.repeat(30_000)],
    ['of backticks', '`'.repeat(1_500)],
  ])('has at most 6,000 characters for a text %s', (_, quoted) => {
    const url = toNewIssueUrl(github, { ...draft, quoted })
    expect(url.length).toBeLessThanOrEqual(6_000)
    expect(new URL(url).searchParams.get('body')).toContain('SHOP-1')
  })
})

describe('the text of an issue', () => {
  it('keeps mentions and quick actions of an event in a block that it cannot close', () => {
    const body = toIssueBody('gitlab', { ...draft, quoted: '```\n/close\n@everyone\n````' })
    expect(body).toBe('SHOP-1 https://c.test/1\n\n`````\n```\n/close\n@everyone\n````\n`````')
    expect(toIssueBody('jira', { ...draft, quoted: '{noformat}[~admin]' })).toBe(
      'SHOP-1 https://c.test/1\n\n{noformat}\n( noformat}[~admin]\n{noformat}',
    )
  })
})

describe('the address of an issue of a tracker', () => {
  it.each([
    ['https://github.com/acme/shop/issues/12', 'acme/shop#12', undefined],
    ['https://github.com/acme/shop/pull/12/', 'acme/shop#12', 'https://github.com/acme/shop/pull/12'],
    [
      'https://github.com/acme/shop/issues/12?a=b#issuecomment-7',
      'acme/shop#12',
      'https://github.com/acme/shop/issues/12',
    ],
    ['https://gitlab.com/acme/web/shop/-/issues/3', 'acme/web/shop#3', undefined],
    ['https://gitlab.com/acme/shop/-/work_items/3', 'acme/shop#3', undefined],
    [
      'https://acme.atlassian.net/browse/ENG-7?focusedId=1',
      'ENG-7',
      'https://acme.atlassian.net/browse/ENG-7',
    ],
    ['https://acme.example/jira/browse/ENG-7', 'ENG-7', undefined],
    ['https://linear.app/acme/issue/ENG-7/cart-breaks', 'ENG-7', 'https://linear.app/acme/issue/ENG-7'],
  ])('%s has a name and one spelling', (url, name, spelling) => {
    expect(parseTrackerIssue(url)).toEqual({ name, url: spelling ?? url })
  })

  it.each([
    'javascript:alert(1)//a/b/issues/1',
    'https://user:pass@github.com/acme/shop/issues/12',
    'https://github.com/acme/shop',
    'https://acme.atlassian.net/browse/',
    'no address',
  ])('is not %s', (url) => {
    expect(parseTrackerIssue(url)).toBeUndefined()
  })
})

import { cacheByAgent } from './agent-cache.ts'

/** Crawlers, link previews and uptime checks. Relay's list, `relay-filter`. */
const crawlers = new RegExp(
  [
    'Mediapartners-Google',
    'AdsBot-Google',
    'Googlebot',
    'FeedFetcher-Google',
    'Storebot-Google',
    'BingBot',
    'BingPreview',
    'Baiduspider',
    'Slurp',
    'Sogou',
    'facebook',
    'meta-',
    'ia_archiver',
    String.raw`bots?(?:[/\s);]|$)`,
    String.raw`spider(?:[/\s);]|$)`,
    'Slack',
    'Calypso AppCrawler',
    'pingdom',
    'lyticsbot',
    'AWS Security Scanner',
    'HubSpot Crawler',
    'Bytespider',
    'Better Uptime',
    'Cloudflare-Healthchecks',
    'GTmetrix',
    'BrightEdgeOnCrawl',
    'ELB-HealthChecker',
    String.raw`naver\.me/spd`,
    'ClaudeBot',
    'CCBot',
    'OAI-SearchBot',
    'GPTBot',
    'PerplexityBot',
    'Applebot',
    'DuckDuckBot',
  ].join('|'),
  'i',
)

/** Bots that act for a user, or monitor the application for its owner: their errors are stored. */
const allowedCrawlers = /Slackbot\s1\.\d|SentryUptimeBot|ChatGPT-User/i

/** True for the user agent of a crawler. */
export const isWebCrawler = cacheByAgent(
  (userAgent) => crawlers.test(userAgent) && !allowedCrawlers.test(userAgent),
)

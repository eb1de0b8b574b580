import { hourMs } from '#time/time-steps.ts'

/** Limits of alert channels: Culvert's own first, then the documented limits of each service. */
export const channelLimits = {
  /** Issues that one message shows; the rest is a count with a link. */
  channelIssuesShown: 10,

  /** Characters of an issue's title in a message. */
  channelTitleCharacters: 300,

  /** Characters of any other text from an event or a setting in a message. */
  channelTextCharacters: 200,

  /** Rules that a message names; the rest is a count. */
  channelRulesNamed: 5,

  /** Timeout of a receiver's answer. Standard Webhooks 1.0 recommends 15 to 30 s. */
  channelTimeoutMs: 15_000,

  /** Maximum delay that a receiver can ask for by `Retry-After`. */
  channelRetryAfterMaxMs: hourMs,

  /** Characters of a receiver's answer that admins see. */
  channelAnswerCharacters: 2_000,

  /** Characters of a URL in the settings of a destination. Those of Teams have about 400. */
  channelUrlCharacters: 2_000,

  /** Characters of other settings of a destination. */
  channelSettingCharacters: 500,

  /** Requests of one attempt where each issue is a separate alert (PagerDuty, Sentry's webhook). */
  channelAlertsSent: 10,

  /** Time to connect to the mail server and read its greeting. */
  mailConnectMs: 10_000,

  /** Time without any byte from the mail server. */
  mailSilenceMs: 15_000,

  /** Time of the whole SMTP conversation. RFC 5321 §4.5.3.2 allows minutes; the message is sent again. */
  mailTimeoutMs: 30_000,

  /** Interval of checks of a mail server that does not accept mail. */
  mailCheckMs: 60_000,

  /** Interval of checks of a mail server that accepts mail. */
  mailRecheckMs: 900_000,

  /** Bytes of a header line's text that mail clients show whole. RFC 5322 §2.1.1 allows 998. */
  mailSubjectCharacters: 200,

  /** Slack, Block Kit: blocks of a message. https://docs.slack.dev/reference/block-kit/blocks */
  slackBlocks: 50,

  /** Slack, Block Kit: characters of a header block. */
  slackHeaderCharacters: 150,

  /** Slack, Block Kit: characters of a section's text. */
  slackSectionCharacters: 3_000,

  /** Slack, Block Kit: fields of a section. */
  slackFields: 10,

  /** Slack, Block Kit: characters of a field. */
  slackFieldCharacters: 2_000,

  /** Slack, `chat.postMessage`: recommended characters of `text`. */
  slackTextCharacters: 4_000,

  /** Discord: characters of `content`. https://docs.discord.com/developers/resources/webhook */
  discordContentCharacters: 2_000,

  /** Discord: embeds of a message. */
  discordEmbeds: 10,

  /** Discord: characters of an embed's title. https://docs.discord.com/developers/resources/message */
  discordTitleCharacters: 256,

  /** Discord: characters of an embed's description. */
  discordDescriptionCharacters: 4_096,

  /** Discord: characters of a field's value. */
  discordFieldCharacters: 1_024,

  /** Discord: characters of all embeds of a message together. */
  discordEmbedsCharacters: 6_000,

  /** Mattermost: characters of a post. https://docs.mattermost.com/developers/integrate/webhooks/incoming */
  mattermostCharacters: 16_383,

  /** Teams: bytes of a message of a workflow, "about 28 KB". https://learn.microsoft.com/connectors/teams */
  teamsBytes: 28_000,

  /** Telegram: characters of a message after its entities are parsed. https://core.telegram.org/bots/api */
  telegramCharacters: 4_096,

  /** Google Chat: bytes of a message with its cards. https://developers.google.com/workspace/chat */
  googleChatBytes: 32_000,

  /** ntfy: bytes of a message, beyond which it becomes an attachment. https://docs.ntfy.sh/config */
  ntfyMessageBytes: 4_096,

  /** ntfy 2.28: bytes of a title. */
  ntfyTitleBytes: 1_024,

  /** ntfy: buttons of a notification. https://docs.ntfy.sh/publish */
  ntfyActions: 3,

  /** PagerDuty Events v2: characters of `payload.summary`. https://developer.pagerduty.com/docs */
  pagerDutySummaryCharacters: 1_024,

  /** PagerDuty Events v2: characters of `dedup_key`. */
  pagerDutyKeyCharacters: 255,

  /** PagerDuty Events v2: bytes of an event. */
  pagerDutyBytes: 512_000,

  /**
   * Web Push: bytes of a message before it is encrypted. Services take 4,096 with 103 of the cipher (RFC 8291
   * §4).
   */
  pushBytes: 3_000,

  /** Web Push: bytes of the body text in it. */
  pushTextBytes: 1_000,

  /** Web Push: time for which a token is valid: 24 hours at most (RFC 8292 §2). */
  pushTokenMs: 12 * hourMs,

  /** Web Push: browsers of a person. */
  pushBrowsersPerUser: 10,

  /** Web Push: characters of an endpoint. */
  pushEndpointCharacters: 1_000,

  /** Standard Webhooks 1.0: bytes of a body. https://www.standardwebhooks.com */
  webhookBytes: 20_000,

  /** Characters of a webhook's template. */
  webhookTemplateCharacters: 8_000,

  /** Characters of a value in a filled template. */
  webhookTemplateValueCharacters: 4_000,

  /** Bytes of a filled template. */
  webhookFilledBytes: 64_000,
} as const

/** Limits of the answers to coding agents, over `/mcp`. */
export const agentLimits = {
  /**
   * Characters of an answer: 8,000 tokens of 3 to 4 characters, a third of the smallest limit of a client. A
   * character outside ASCII counts as three, because it is a token of its own.
   */
  agentAnswerCharacters: 24_000,

  /** Characters of one block of code in an answer: half an answer. */
  agentBlockCharacters: 12_000,

  /** Characters of an error. */
  agentErrorCharacters: 4_000,

  /** Bytes of a request: a comment has 20,000 characters at most. */
  agentRequestBytes: 256 * 1024,

  /** Rows of a list in an answer. */
  agentRows: 25,

  /** Comments on an issue in an answer, the newest. */
  agentComments: 10,
} as const

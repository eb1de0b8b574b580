/** Why a trace has no spans. `isSampled`: whether the SDK sends them; undefined if it does not decide it. */
export function missingSpansText(isSampled: boolean | undefined): string {
  if (isSampled === undefined)
    return 'The event happened outside of a span, the SDK sends no traces, or another service decides whether to sample this one.'
  return isSampled
    ? 'The SDK sampled this trace. Its spans have not been received, a limit or a filter dropped them, or retention deleted them.'
    : 'The SDK did not sample this trace: its sample rate decides which traces it sends.'
}

/** The options that followers which keep a blind search index have in common. */
import type { AreaContext } from '../area-context.js';

/** `follower`: its name in the log of the service. */
export const searchFollowerOptions = (
  follower: string,
  { types, progress, logger, engines }: Pick<AreaContext, 'types' | 'progress' | 'logger' | 'engines'>,
) => ({
  log: engines.log,
  pool: engines.projectionPool,
  keyRing: engines.keyRing,
  index: engines.searchIndex,
  owner: engines.holder,
  types,
  progress,
  onError: (error: unknown) => logger.error({ follower, err: error }, 'a follower of the log failed, trying again'),
});

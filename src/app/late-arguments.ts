import { late } from '../core/internal.ts'
import type * as Action from './action-argument.ts'
import type * as Upload from './upload-argument.ts'

/**
 * What reads the arguments of actions from query and body, and refuses them: an application whose actions take none never needs it.
 *
 * @returns The functions; a promise of them the first time.
 */
export const argumentReading: () => ArgumentReading | Promise<ArgumentReading> = late(async () => {
  const [{ actionArgument }, { uploadArgument }] = await Promise.all([
    import('./action-argument.ts'),
    import('./upload-argument.ts'),
  ])
  return { actionArgument, uploadArgument }
})

/** The functions. */
export type ArgumentReading = Pick<typeof Action, 'actionArgument'> & Pick<typeof Upload, 'uploadArgument'>

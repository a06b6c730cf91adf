import './tables.ts'
import type { Part } from '../../core/part.ts'
import { PasskeyAtDoor } from './at-door.ts'
import { migration } from './migration.ts'

/** Passkeys and security keys. */
export const passkeys: Part = {
  name: 'passkeys',
  migration,
  factorKinds: [
    {
      kind: 'passkey',
      isHeld: true,
      page: {
        route: 'account:passkey',
        template: 'account/passkey',
        title: 'passkey.title',
        instead: 'challenge.gone.passkey',
        asksForAll: true,
      },
      resistsPhishing: true,
      atDoor: PasskeyAtDoor,
    },
  ],
}

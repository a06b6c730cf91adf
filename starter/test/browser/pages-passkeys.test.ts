import { testScenes } from './play-scenes.ts'
import { PASSKEYS } from './stages/passkeys.ts'

testScenes(PASSKEYS)

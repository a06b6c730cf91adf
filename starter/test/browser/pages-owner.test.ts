import { testScenes } from './play-scenes.ts'
import { LOCKS } from './stages/locks.ts'
import { OWNER } from './stages/owner.ts'

testScenes([...OWNER, ...LOCKS])

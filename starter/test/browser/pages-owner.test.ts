import { testScenes } from './play-scenes.ts'
import { LOCKS } from './stages/locks.ts'
import { OWNER } from './stages/owner.ts'
import { OF_PARTS } from './stages/parts.ts'

testScenes([...OWNER, ...LOCKS, ...OF_PARTS])

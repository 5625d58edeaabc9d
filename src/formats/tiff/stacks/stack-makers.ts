import type { Maker } from '../../../model/recipe.ts'
import { directoryPlanes, followingPlanes, planesOfLevel } from '../planes.ts'
import { stackedIndex, storedPlane } from './plane-stack.ts'
import { pixelSteps } from './stack-coordinates.ts'
import { planeDirectories } from './stack-plan.ts'

/** Who makes again what stacks are made of. */
export const stackMakers: readonly Maker[] = [
  pixelSteps,
  planeDirectories,
  stackedIndex,
  storedPlane,
  directoryPlanes,
  planesOfLevel,
  followingPlanes,
]

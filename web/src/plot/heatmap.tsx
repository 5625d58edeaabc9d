import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Place, usePlace } from '../map/use-place.ts'
import { ProblemNote } from '../parts/problem-note.tsx'
import { useLoaded } from '../state/use-loaded.ts'
import { pictureAxes } from './axes-of.ts'
import { ColourControls } from './colour-controls.tsx'
import { colourTable, type Paint } from './colours.ts'
import { coordinatesOf } from './coordinates.ts'
import { Dimensions } from './dimensions.tsx'
import { meaningOf } from './meaning.ts'
import { PictureFrame } from './picture-frame.tsx'
import type { PlotProps } from './plot.tsx'
import { statisticsOf } from './statistics.ts'
import { useLevels } from './use-levels.ts'
import { useRasters, type Wanted } from './use-rasters.ts'
import type { ZarrStore } from './zarr-store.ts'

/** Two dimensions as a picture, on a map where they lie on one; the others by sliders. */
export function Heatmap(props: PlotProps & { readonly store: ZarrStore }) {
  const { array, path, view, change, inspection, store: own } = props
  const [isAll, setAll] = useState(false)
  const { store, inspection: levelled, isPending, levels } = useLevels({ ...props, store: own, isAll })
  const axes = useMemo(() => pictureAxes(array, view.axes), [array, view.axes])
  const at = array.shape.map((length, axis) => Math.min(length - 1, view.at[array.dimension_names[axis] ?? ''] ?? 0))
  const meaning = useMemo(() => meaningOf(array), [array])
  const coordinates = useLoaded((signal) => coordinatesOf(own, inspection, path, array, signal), [own, path])
  const known = coordinates.kind === 'ready' ? coordinates.value : undefined
  const [wanted, setWanted] = useState<Wanted>()
  const shown = useMemo(() => levels(axes), [levels, axes])
  const rasters = useRasters({ store, levels: shown, axes, at, meaning, wanted, isAll: isAll && !isPending })
  const where = { inspection: levelled, path, array, axes, coordinates: known, store }
  const place = usePlace({ ...where, isMap: view.isMap, detail: rasters.detail })
  const statistics = useStatistics(rasters.base?.values, rasters.isLoading)
  const range = view.range ?? statistics?.usual ?? [0, 1]
  const classes = useMemo(() => (meaning.flags.size > 0 ? [...meaning.flags.keys()] : undefined), [meaning])
  const paint = usePaint(view.colours, range, classes)
  const [opacity, setOpacity] = useState(1)
  const onIndex = useCallback(
    (name: string, index: number) => change({ at: { ...view.at, [name]: index } }, 'adjust'),
    [change, view.at],
  )
  if (rasters.problem !== undefined && rasters.base === undefined) return <ProblemNote problem={rasters.problem} />
  return (
    <div class="heatmap">
      <Dimensions
        array={array}
        axes={axes}
        at={at}
        coordinates={known}
        isBusy={rasters.isLoading}
        onIndex={onIndex}
        onAxes={(names) => change({ axes: names, range: undefined }, 'adjust')}
      />
      <PictureFrame
        {...{ array, path, store, axes, at, meaning, rasters, paint, opacity, coordinates: known }}
        place={place.current}
        onWanted={setWanted}
        onAll={() => setAll(true)}
      >
        <PlaceSwitch place={place} onChange={(isMap) => change({ isMap }, 'adjust')} />
      </PictureFrame>
      <ColourControls
        {...{ statistics, range, meaning, paint }}
        colours={view.colours}
        isMap={place.current.kind === 'map'}
        opacity={opacity}
        onOpacity={setOpacity}
        onColours={(colours) => change({ colours }, 'adjust')}
        onRange={(chosen) => change({ range: chosen }, 'adjust')}
      />
    </div>
  )
}

function usePaint(
  colours: string | undefined,
  [low, high]: readonly [number, number],
  classes: readonly number[] | undefined,
): Paint {
  return useMemo(() => ({ table: colourTable(colours), low, high, classes }), [colours, low, high, classes])
}

/** Of all of the array where that was read; while it is read, of the one before, so that colours don't flicker. */
function useStatistics(values: Float64Array | undefined, isLoading: boolean) {
  const kept = useRef<ReturnType<typeof statisticsOf>>(undefined)
  const [statistics, setStatistics] = useState<ReturnType<typeof statisticsOf>>()
  useEffect(() => {
    if (values === undefined || (isLoading && kept.current !== undefined)) return
    const found = statisticsOf(values)
    if (isLoading && found.count === 0) return
    // Colours of an animation stay those of its first picture: what changes then are the values.
    if (!isLoading) kept.current ??= found
    const { usual } = kept.current === undefined || kept.current.count === 0 ? found : kept.current
    setStatistics({ ...found, usual })
  }, [values, isLoading])
  return statistics
}

interface PlaceSwitchProps {
  readonly place: { readonly current: Place; readonly canMap: boolean }
  readonly onChange: (isMap: boolean) => void
}

function PlaceSwitch({ place, onChange }: PlaceSwitchProps) {
  if (!place.canMap) return null
  const isMap = place.current.kind === 'map'
  return (
    <fieldset class="switch">
      <legend class="hidden">Show as</legend>
      <button type="button" aria-pressed={isMap} onClick={() => onChange(true)}>
        Map
      </button>
      <button type="button" aria-pressed={!isMap} onClick={() => onChange(false)}>
        Grid
      </button>
    </fieldset>
  )
}

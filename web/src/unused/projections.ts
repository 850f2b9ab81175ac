/** Stands in the place of Observable Plot's projections, which are for maps: nothing here draws one. */
function noMap(): never {
  throw new Error('maps are not drawn here');
}

/** Plot asks for every chart whether it is a map. */
export function createProjection(): undefined {
  return undefined;
}

export function projectionAspectRatio(): undefined {
  return undefined;
}

export function hasProjection(): boolean {
  return false;
}

export { noMap as applyPosition, noMap as getGeometryChannels, noMap as project, noMap as xyProjection };

/** Stands in the place of Observable Plot's colour schemes: the charts name their colours themselves. */
function noScheme(): never {
  throw new Error('colour schemes are not used here');
}

function isNone(): boolean {
  return false;
}

export {
  isNone as isCategoricalScheme,
  isNone as isDivergingScheme,
  noScheme as maybeBooleanRange,
  noScheme as ordinalRange,
  noScheme as ordinalScheme,
  noScheme as quantitativeScheme,
};

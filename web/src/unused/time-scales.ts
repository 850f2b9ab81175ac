/** Stands in the places of Observable Plot's scales and intervals of time: no chart here has an axis of dates. */
function noTime(): never {
  throw new Error('dates are not drawn here');
}

export {
  noTime as createScaleTime,
  noTime as createScaleUtc,
  noTime as generalizeTimeInterval,
  noTime as inferTimeFormat,
  noTime as intervalDuration,
  noTime as parseTimeInterval,
  noTime as timeInterval,
  noTime as utcInterval,
};

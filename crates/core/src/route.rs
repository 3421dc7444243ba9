//! Which devices there are, and which one runs: one function that gives its reason.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::check::Checked;
use crate::device::{self, Device, Fitted};

/// Why a device that this build knows cannot run here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Absent {
    /// For the user, lower case, no full stop.
    pub reason: String,
}

/// A device, or why there is none.
pub type Opened = Result<Arc<dyn Device>, Absent>;

/// Opens the device; in a family the one with this name, or the best one.
type Open = Box<dyn Fn(Option<&str>) -> Opened + Send + Sync>;

/// One of the devices that an id stands for.
pub struct Member {
    /// What the user types to choose it.
    pub id: String,
    /// It, or why it cannot run here.
    pub device: Opened,
}

type List = Box<dyn Fn() -> Vec<Member> + Send + Sync>;

/// A device that may be opened, or a family of them.
pub struct Slot {
    /// What the user types; `ID:NAME` for one of a family.
    pub id: String,
    /// Tried from the highest down when the user does not choose.
    pub precedence: i32,
    open: Open,
    opened: OnceLock<Opened>,
    /// The members, if it is a family.
    list: Option<List>,
    /// Those that were opened by name.
    named: Mutex<Vec<(String, Opened)>>,
}

impl Slot {
    /// The device, opened at the first call; or why it cannot be.
    pub fn device(&self) -> Result<&Arc<dyn Device>, &Absent> {
        self.opened.get_or_init(|| (self.open)(None)).as_ref()
    }

    /// The device of this name, opened at the first call.
    fn named(&self, name: &str) -> Opened {
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, opened)) = named.iter().find(|(other, _)| other == name) {
            return opened.clone();
        }
        let opened = (self.open)(Some(name));
        named.push((name.to_owned(), opened.clone()));
        opened
    }

    /// Every device that it stands for; itself alone if that is all there is.
    pub fn members(&self) -> Vec<Member> {
        let members = self.list.as_ref().map(|list| list()).unwrap_or_default();
        if !members.is_empty() {
            return members;
        }
        vec![Member { id: self.id.clone(), device: self.device().cloned().map_err(Clone::clone) }]
    }
}

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").field("id", &self.id).field("precedence", &self.precedence).finish_non_exhaustive()
    }
}

/// What goes wrong when registering or choosing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// Two devices with one id.
    #[error("device `{id}` is registered twice")]
    Duplicate {
        /// The id.
        id: String,
    },
    /// An id that no device has.
    #[error("there is no device `{id}`; this build has {}", known.join(", "))]
    Unknown {
        /// What was asked for.
        id: String,
        /// What there is, by precedence.
        known: Vec<String>,
    },
    /// The device that was asked for cannot run here.
    #[error("device `{id}` cannot run here: {absent}")]
    Absent {
        /// What was asked for.
        id: String,
        /// Why not.
        absent: Absent,
    },
    /// The device that was asked for lacks what the schedule needs.
    #[error(transparent)]
    Unfit(device::Error),
    /// Nobody can run it; why each cannot, by precedence.
    #[error("no device can run this: {}", refusals.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Nobody {
        /// One for each registered device.
        refusals: Vec<Refusal>,
    },
}

/// Why a device was passed over.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// Which.
    pub id: String,
    /// Why.
    pub why: Why,
}

/// See [`Refusal`].
#[derive(Debug, Clone, PartialEq)]
pub enum Why {
    /// It cannot run on this machine.
    Absent(Absent),
    /// It lacks what the schedule needs.
    Unfit(device::Error),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::Absent(absent) => write!(f, "`{}`: {absent}", self.id),
            Why::Unfit(error) => write!(f, "`{}`: {error}", self.id),
        }
    }
}

/// Who asked for a device by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asker {
    /// The program or the command line.
    Caller,
    /// An environment variable.
    Environment,
    /// The caller, by a seed, which no other device takes.
    Seed,
    /// The caller, by a limit of statements, which no other device counts.
    Steps,
    /// The caller, who wants to know of races, which no other device finds.
    Sanitizer,
}

/// Why a device was chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum Because {
    /// By name.
    Asked(Asker),
    /// It has the highest precedence of those that can run this; those above it cannot.
    First {
        /// The ones above it.
        passed_over: Vec<Refusal>,
    },
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked(Asker::Caller) => f.write_str("it was asked for"),
            Self::Asked(Asker::Environment) => f.write_str("the environment asks for it"),
            Self::Asked(Asker::Seed) => f.write_str("only it takes a seed"),
            Self::Asked(Asker::Steps) => f.write_str("only it counts statements"),
            Self::Asked(Asker::Sanitizer) => f.write_str("only it finds races"),
            Self::First { passed_over } if passed_over.is_empty() => {
                f.write_str("it is the first choice of this build")
            }
            Self::First { passed_over } => {
                f.write_str("it is the first that can run this; passed over: ")?;
                let refusals: Vec<String> = passed_over.iter().map(ToString::to_string).collect();
                f.write_str(&refusals.join("; "))
            }
        }
    }
}

/// A device and the reason for it.
#[derive(Clone)]
pub struct Choice {
    /// Who runs.
    pub device: Arc<dyn Device>,
    /// Why.
    pub because: Because,
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Choice").field("device", &self.device.caps().id).field("because", &self.because).finish()
    }
}

/// The devices that this build knows, by precedence. Frozen once built.
#[derive(Debug, Default)]
pub struct Registry {
    slots: Vec<Slot>,
}

impl Registry {
    /// Adds a device; `open` is called when it is first looked at.
    pub fn register(
        self,
        id: &str,
        precedence: i32,
        open: impl Fn() -> Opened + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        self.add(id, precedence, Box::new(move |_| open()), None)
    }

    /// Adds devices that share an id: `open` takes the name of the one that is asked for, and
    /// `list` gives them all.
    pub fn register_family(
        self,
        id: &str,
        precedence: i32,
        open: impl Fn(Option<&str>) -> Opened + Send + Sync + 'static,
        list: impl Fn() -> Vec<Member> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        self.add(id, precedence, Box::new(open), Some(Box::new(list)))
    }

    fn add(mut self, id: &str, precedence: i32, open: Open, list: Option<List>) -> Result<Self, Error> {
        if self.slots.iter().any(|slot| slot.id == id) {
            return Err(Error::Duplicate { id: id.to_owned() });
        }
        let (opened, named) = (OnceLock::new(), Mutex::default());
        let slot = Slot { id: id.to_owned(), precedence, open, opened, list, named };
        let at = self.slots.partition_point(|other| other.precedence >= precedence);
        self.slots.insert(at, slot);
        Ok(self)
    }

    /// The device with this id.
    fn find(&self, id: &str) -> Result<Opened, Error> {
        if let Some(slot) = self.slots.iter().find(|slot| slot.id == id) {
            return Ok(slot.device().cloned().map_err(Clone::clone));
        }
        let family = |family: &str| self.slots.iter().find(|slot| slot.list.is_some() && slot.id == family);
        let found = id.split_once(':').and_then(|(id, name)| Some((family(id)?, name)));
        let Some((slot, name)) = found.filter(|(_, name)| !name.is_empty()) else {
            let known = self.slots.iter().map(|slot| slot.id.clone()).collect();
            return Err(Error::Unknown { id: id.to_owned(), known });
        };
        Ok(slot.named(name))
    }

    /// All of them, from the highest precedence down.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The device asked for, or none; or else the first that can run here.
    pub fn choose(&self, asked: Option<(&str, Asker)>) -> Result<Choice, Error> {
        let (choice, ()) = self.first(asked, |_| Ok(()))?;
        Ok(choice)
    }

    /// The same for a schedule, which the device can run.
    pub fn choose_for(&self, asked: Option<(&str, Asker)>, schedule: &Arc<Checked>) -> Result<(Choice, Fitted), Error> {
        self.first(asked, |device| device::fit(schedule.clone(), device.caps()))
    }

    /// The device asked for, or the first, for which `fit` finds something.
    fn first<T>(
        &self,
        asked: Option<(&str, Asker)>,
        fit: impl Fn(&dyn Device) -> Result<T, device::Error>,
    ) -> Result<(Choice, T), Error> {
        if let Some((id, asker)) = asked {
            let device = self.find(id)?.map_err(|absent| Error::Absent { id: id.to_owned(), absent })?;
            let fitted = fit(&*device).map_err(Error::Unfit)?;
            return Ok((Choice { device, because: Because::Asked(asker) }, fitted));
        }
        let mut refusals = Vec::new();
        for slot in &self.slots {
            let why = match slot.device() {
                Err(absent) => Why::Absent(absent.clone()),
                Ok(device) => match fit(&**device) {
                    Ok(fitted) => {
                        let because = Because::First { passed_over: refusals };
                        return Ok((Choice { device: device.clone(), because }, fitted));
                    }
                    Err(error) => Why::Unfit(error),
                },
            };
            refusals.push(Refusal { id: slot.id.clone(), why });
        }
        Err(Error::Nobody { refusals })
    }
}

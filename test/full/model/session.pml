/* A session, its attempts, the rail, an operator, crashes and a restore: explored completely by spin (README.md).
 * Each atomic block is one transaction, one call or one answer; between two of them the worker may die. */
#define ATTEMPTS 2
/* With more, most simulations lose every call. */
#ifdef SIMULATION
#define CRASHES 1
#else
#define CRASHES 2
#endif

mtype = { created, processing, succeeded, failed };
mtype = { none, open, paid, ended };
mtype = { nothing, flying, charged, declined, silence };

/* The database, and an earlier copy of it. */
mtype session = created;
byte n = 0;
mtype row[ATTEMPTS] = none;
bool called[ATTEMPTS];
bool fenced = false;
mtype oldSession = created;
byte oldN = 0;
mtype oldRow[ATTEMPTS] = none;
bool oldCalled[ATTEMPTS];

/* The rail, and the time after which no call of an attempt can arrive any more. */
mtype rail[ATTEMPTS] = nothing;
bool over[ATTEMPTS];
bool returned[ATTEMPTS];

/* What is listed for a person. */
bool listed[ATTEMPTS];
/* A worker is between the mark and the answer of a call. */
bool inCall = false;

#define CUR (n - 1)
#define HAS_OPEN (n > 0 && row[CUR] == open)
/* `notFound` is a no only when the call can no longer arrive (rule 4). */
#ifdef NOT_FOUND_IS_NO
#define IS_UNKNOWN_FOR_GOOD (rail[CUR] == nothing || rail[CUR] == flying)
#else
#define IS_UNKNOWN_FOR_GOOD (rail[CUR] == nothing && over[CUR])
#endif
#define IS_FINAL (session == succeeded || session == failed)

/* What a simulation prints, for the replay against the code: the step, its attempt, and the session after it. */
#define TELL(step, i) printf(step, i, session)

inline settle(i, outcome) {
  if
  :: row[i] == open && outcome == charged -> row[i] = paid; session = succeeded
  :: row[i] == open && outcome == declined ->
     row[i] = ended; if :: session == processing -> session = created :: else fi
  :: else /* the row is gone, or has ended: `reconcile` judges it */
  fi
}

active proctype Buyer() {
  byte clicks = 0;
  do
  :: atomic { clicks < 3 && !fenced && session == created && !HAS_OPEN && n < ATTEMPTS ->
       clicks++;
       /* No earlier attempt may still take money. */
       assert(n == 0 || (rail[0] != flying && !(rail[0] == charged && !returned[0])));
       row[n] = open; called[n] = false; n++; session = processing; TELL("click %d %e\n", CUR) }
  od
}

active proctype Worker() {
  byte a; mtype heard; byte crashes = 0;
adopt:
  inCall = false; heard = silence;
  do
  :: atomic { !fenced && HAS_OPEN && !called[CUR] ->
       a = CUR;
#ifndef NO_MARK
       called[a] = true;
#endif
       inCall = true }
     if :: atomic { crashes < CRASHES -> crashes++; goto adopt } :: skip fi;
     atomic {
       if
       :: !over[a] ->
          /* Never what the rail knows or may still receive. */
          assert(rail[a] == nothing);
          rail[a] = flying
       :: else
       fi }
     if :: atomic { crashes < CRASHES -> crashes++; goto adopt } :: skip fi;
     if
     :: atomic { rail[a] == charged || rail[a] == declined -> heard = rail[a] }
     :: heard = silence
     fi;
     inCall = false;
     if :: atomic { crashes < CRASHES -> crashes++; goto adopt } :: skip fi;
     atomic { if :: heard != silence -> settle(a, heard); TELL("answer %d %e\n", a) :: else fi; heard = silence }
  :: atomic { !fenced && HAS_OPEN && called[CUR] && (rail[CUR] == charged || rail[CUR] == declined) ->
       a = CUR; heard = rail[a] }
     if :: atomic { crashes < CRASHES -> crashes++; goto adopt } :: skip fi;
     atomic { settle(a, heard); TELL("look %d %e\n", a); heard = silence }
  :: atomic { !fenced && session == created && !HAS_OPEN -> session = failed; TELL("expire %d %e\n", 0) }
  :: atomic { !fenced && HAS_OPEN && called[CUR] && IS_UNKNOWN_FOR_GOOD ->
       a = CUR; settle(a, declined); TELL("neverSent %d %e\n", a) }
  od
}

active [ATTEMPTS] proctype Rail() {
  byte i = _pid - 2;
  do
  :: atomic { rail[i] == flying -> rail[i] = charged; TELL("charged %d %e\n", i) }
  :: atomic { rail[i] == flying -> rail[i] = declined; TELL("declined %d %e\n", i) }
  :: atomic { rail[i] == flying -> rail[i] = nothing } /* lost on the way */
#ifdef SIMULATION
  :: atomic { called[i] && !over[i] && rail[i] != flying && !inCall -> over[i] = true }
#else
  :: atomic { called[i] && !over[i] && rail[i] != flying -> over[i] = true }
#endif
  od
}

active proctype Operator() {
  /* Asks the rail once more; its answer takes precedence. */
  byte i;
#ifdef SIMULATION
  /* Otherwise most simulations end with the operator, or before the call. */
  for (i : 1 .. 4) { skip }
#endif
  atomic { !fenced && HAS_OPEN && called[CUR] ->
    i = CUR;
    if
    :: rail[i] == charged -> settle(i, charged); TELL("resolveCharged %d %e\n", i)
    :: rail[i] == declined -> settle(i, declined);
       if
       :: session = failed; TELL("resolveDeclined %d %e\n", i) /* as the operator said */
       :: TELL("resolveRefused %d %e\n", i) /* the operator said paid */
       fi
    :: else ->
       if
       :: row[i] = ended; session = failed; TELL("resolveFailed %d %e\n", i)
       :: listed[i] = true; row[i] = paid; session = succeeded; TELL("resolvePaid %d %e\n", i)
       fi
    fi }
}

/* News of a charge whose attempt has ended: it goes back. */
active proctype Reconcile() {
  byte i;
  do
  :: atomic { !fenced && row[0] == ended && rail[0] == charged && !returned[0] -> returned[0] = true; TELL("returned %d %e\n", 0) }
  :: atomic { !fenced && row[1] == ended && rail[1] == charged && !returned[1] -> returned[1] = true; TELL("returned %d %e\n", 1) }
  od
}

#ifndef NO_RESTORE
active proctype Restore() {
  atomic { oldSession = session; oldN = n; oldRow[0] = row[0]; oldRow[1] = row[1];
           oldCalled[0] = called[0]; oldCalled[1] = called[1] }
  atomic { session = oldSession; n = oldN; row[0] = oldRow[0]; row[1] = oldRow[1];
           called[0] = oldCalled[0]; called[1] = oldCalled[1];
           /* A new call has a new deadline. */
           if :: !called[0] -> over[0] = false :: else fi;
           if :: !called[1] -> over[1] = false :: else fi;
#ifndef NO_FENCE
           fenced = true;
#endif
  }
#ifndef NO_FENCE
  /* Waits for the end of calls begun before the fence, and adopts what the rail lists. */
  atomic { !inCall && rail[0] != flying && rail[1] != flying ->
    byte i;
    for (i : 0 .. ATTEMPTS - 1) {
      if
      :: rail[i] == charged && !returned[i] && row[i] != paid ->
         if :: n <= i -> n = i + 1 :: else fi;
         called[i] = true;
         if
         :: session != succeeded && session != failed -> row[i] = paid; session = succeeded
         :: else -> row[i] = ended
         fi
      :: returned[i] && row[i] == paid -> listed[i] = true /* the rail lists a refund without a row */
      :: (rail[i] == declined || returned[i]) && (row[i] == none || row[i] == open) ->
         if :: n <= i -> n = i + 1 :: else fi;
         called[i] = true; row[i] = ended;
         if :: session == processing && !HAS_OPEN -> session = created :: else fi
      :: else
      fi
    }
    fenced = false }
#endif
}

#endif

/* When nothing can happen any more. */
active proctype Judge() {
  byte kept;
  timeout ->
  atomic {
    kept = 0;
    if :: rail[0] == charged && !returned[0] -> kept++ :: else fi;
    if :: rail[1] == charged && !returned[1] -> kept++ :: else fi;
    assert(IS_FINAL);
    assert(kept <= 1);
    assert(session != failed || kept == 0);
    assert(session != succeeded || kept == 1 || listed[0] || listed[1]) }
}
